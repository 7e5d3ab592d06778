import type { JsonObject } from '@tutti/protocol'
import { createSchemaCompiler } from '@tutti/runtime'
import { submitInput, type Submission } from '../model/structured-output.ts'

/** Takes the object with which a turn must end. */
export interface ResultDesk {
  /** `input`: of the use of the tool, as the model wrote it. */
  submit(input: string): Submission
}

const SUBMISSIONS = 5

/** Throws WorkflowInputError for a schema that cannot be used. */
export async function openResultDesk(schema: JsonObject): Promise<ResultDesk> {
  const validator = await createSchemaCompiler().compile(schema, { name: 'the schema of the result' })
  let left = SUBMISSIONS
  return {
    submit: input =>
      submitInput(input, value => {
        left = Math.max(0, left - 1)
        const issues = validator.validate(value)
        return { accepted: issues.length === 0, issues, left }
      }),
  }
}
