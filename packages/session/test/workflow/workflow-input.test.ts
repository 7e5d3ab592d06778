import { toJsonSchema, WorkflowToolInputSchema } from '@tutti/protocol/schemas'
import { expect, test } from 'vitest'
import { readWorkflowInput, WORKFLOW_INPUT_SCHEMA } from '../../src/workflow/workflow-input.ts'

test('what the model is shown is the schema that inputs are checked with', () => {
  const { $schema: _, ...schema } = toJsonSchema(WorkflowToolInputSchema)
  expect(WORKFLOW_INPUT_SCHEMA).toEqual(schema)
})

test('every field that is wrong is named', async () => {
  const reading = readWorkflowInput({ script: 1, name: 2 })
  await expect(reading).rejects.toMatchObject({
    code: 'option-invalid',
    message: expect.stringMatching(/script.*name/s),
  })
})
