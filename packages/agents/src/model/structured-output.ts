import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { SubmissionVerdict } from '@tutti/runtime'
import { parseJson } from '../json.ts'

export const STRUCTURED_OUTPUT: string = 'StructuredOutput'

/** Said once to a model that ended its turn without the tool. */
export const NUDGE: string = `You have not called ${STRUCTURED_OUTPUT} yet. Call it now with your result; plain text is not read.`

/** The tool through which a model hands over an object. */
export function structuredOutputTool(schema: JsonObject): LanguageModelV3FunctionTool {
  return {
    type: 'function',
    name: STRUCTURED_OUTPUT,
    description: 'Hands over your result. Call it once, when you are done; the input is the result.',
    inputSchema: schema,
  }
}

/** A submission and what became of it. */
export type Submission =
  | { accepted: true; value: JsonValue }
  | { accepted: false; value?: JsonValue; answer: string; left: number }

/** Submits the input of a tool call. Text that is not JSON counts as a submission of that text. */
export function submitInput(input: string, submit: (value: JsonValue) => SubmissionVerdict): Submission {
  const parsed = parseJson(input.trim() === '' ? '{}' : input)
  const value = 'value' in parsed ? parsed.value : input
  const verdict = submit(value)
  if (verdict.accepted) return { accepted: true, value }
  const { left } = verdict
  if ('problem' in parsed)
    return { accepted: false, value, left, answer: `The input is not valid JSON: ${parsed.problem}` }
  const issues = verdict.issues.map(issue => `${issue.path || '/'} ${issue.message}`).join('\n')
  return {
    accepted: false,
    value,
    left,
    answer: `The input does not match the schema:\n${issues}\nCorrect it and call ${STRUCTURED_OUTPUT} again.`,
  }
}
