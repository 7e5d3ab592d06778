import { FOREIGN_RUN_ID_PATTERN, type JsonObject, type WorkflowToolInput } from '@tutti/protocol'
import { WorkflowInputError } from '@tutti/runtime'

/** Throws WorkflowInputError that names every field that is wrong. */
export async function readWorkflowInput(input: JsonObject): Promise<WorkflowToolInput> {
  // Schemas are half of all that a session could load, and none is needed before a launch.
  const { checkValue, pathText, WorkflowToolInputSchema } = await import('@tutti/protocol/schemas')
  const checked = checkValue(WorkflowToolInputSchema, input)
  if (checked.ok) return checked.value
  const problems = checked.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${pathText(path)}: ${message}`,
  )
  throw new WorkflowInputError('option-invalid', `Workflow: ${problems.join('; ')}`, {
    hint: 'Fields: script, name or scriptPath; args; resumeFromRunId. Nothing was launched.',
  })
}

/** WorkflowToolInputSchema for a model, written out so that it costs no schema library at the start. */
export const WORKFLOW_INPUT_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    script: { description: 'A whole workflow script.', type: 'string', minLength: 1 },
    name: { description: 'Name of a saved workflow.', type: 'string', minLength: 1 },
    scriptPath: {
      description: 'Path of a script file. Wins over script and name.',
      type: 'string',
      minLength: 1,
    },
    args: { description: 'Any JSON value; the script reads it as `args`.' },
    resumeFromRunId: {
      description:
        'Continue this run; finished agents are not paid for again. Alone, or with a script and args.',
      type: 'string',
      pattern: FOREIGN_RUN_ID_PATTERN.source,
    },
    title: { description: 'Accepted and ignored.', type: 'string' },
    description: { description: 'Accepted and ignored.', type: 'string' },
  },
  additionalProperties: false,
}
