import type { JsonObject, WorkflowToolInput } from '@tutti/protocol'
import { checkValue, pathText, toJsonSchema, WorkflowToolInputSchema } from '@tutti/protocol/schemas'
import { WorkflowInputError } from '@tutti/runtime'

/** Throws WorkflowInputError that names every field that is wrong. */
export function readWorkflowInput(input: JsonObject): WorkflowToolInput {
  const checked = checkValue(WorkflowToolInputSchema, input)
  if (checked.ok) return checked.value
  const problems = checked.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${pathText(path)}: ${message}`,
  )
  throw new WorkflowInputError('option-invalid', `Workflow: ${problems.join('; ')}`, {
    hint: 'Fields: script, name or scriptPath; args; resumeFromRunId. Nothing was launched.',
  })
}

/** The same as JSON Schema, without the mark of a document. */
export function workflowInputSchema(): JsonObject {
  const { $schema: _, ...schema } = toJsonSchema(WorkflowToolInputSchema)
  return schema
}
