import type { Cause, JsonObject, JsonValue } from '@tutti/protocol'
import type { SubmissionVerdict } from '@tutti/runtime'
import type { McpTool } from './mcp-server.ts'

export const STRUCTURED_OUTPUT: string = 'StructuredOutput'

/** Name of the server that carries the tool; products build the tool's full name from it. */
export const SERVER_NAME: string = 'tutti'

/** Added to the prompt of an agent whose result is an object. */
export const OBJECT_NOTE: string = `Hand your result over by calling the tool ${STRUCTURED_OUTPUT} (it may be listed with a prefix such as ${SERVER_NAME}): its input is the return value of your task, and your text is not read. When it was accepted, end your turn.`

/** What was submitted so far. */
export interface Submitted {
  accepted: { value: JsonValue } | undefined
  /** The last one that was refused, and why. */
  refused: { value: JsonValue; reasons: string } | undefined
  /** Submissions left; undefined before the first. */
  left: number | undefined
}

export interface StructuredOutput {
  tool: McpTool
  submitted: Submitted
  /** Judges an object that came another way than through the tool. */
  submit(value: JsonValue): Submitted
}

export interface StructuredOutputOptions {
  schema: JsonObject
  submit(value: JsonValue): SubmissionVerdict
  /** Something was submitted. */
  onSubmitted(submitted: Submitted): void
}

/** The tool through which an agent of another product hands its object over. The first accepted one counts. */
export function createStructuredOutput(options: StructuredOutputOptions): StructuredOutput {
  const submitted: Submitted = { accepted: undefined, refused: undefined, left: undefined }

  function submit(value: JsonValue): Submitted {
    if (submitted.accepted !== undefined) return submitted
    const verdict = options.submit(value)
    submitted.left = verdict.left
    if (verdict.accepted) submitted.accepted = { value }
    else submitted.refused = { value, reasons: reasonsOf(verdict) }
    options.onSubmitted(submitted)
    return submitted
  }

  return {
    submitted,
    submit,
    tool: {
      name: STRUCTURED_OUTPUT,
      description: 'Hands over your result. Call it once, when you are done; the input is the result.',
      inputSchema: options.schema,
      call(input) {
        const { accepted, refused } = submit(input)
        if (accepted !== undefined) return { text: 'Accepted. End your turn now.', failed: false }
        const advice = `Correct it and call ${STRUCTURED_OUTPUT} again.`
        return { text: `The input does not match the schema:\n${refused?.reasons}\n${advice}`, failed: true }
      },
    },
  }
}

function reasonsOf({ issues }: SubmissionVerdict): string {
  return issues.map(issue => `${issue.path || '/'} ${issue.message}`).join('\n')
}

/** Why there is no object, and what to say to the agent about it. */
export interface Missing {
  cause: Cause
  message: string
  prompt: string
}

/** Of an agent that ended its turn, and whose object was not accepted through the tool. */
export function missingObject({ refused }: Submitted, agent: string): Missing {
  if (refused === undefined) {
    const prompt = `You have not called ${STRUCTURED_OUTPUT} yet. Call it now with your result; plain text is not read.`
    return {
      cause: 'schema_not_called',
      message: `${agent} ended without calling ${STRUCTURED_OUTPUT}`,
      prompt,
    }
  }
  const prompt = `Your last input to ${STRUCTURED_OUTPUT} was not accepted:\n${refused.reasons}\nCorrect it and call the tool again.`
  return { ...rejected(refused.reasons), prompt }
}

/** The failure of an agent whose objects did not match. */
export function rejected(reasons: string): { cause: Cause; message: string } {
  return {
    cause: 'schema_rejected',
    message: `the object does not match the schema: ${reasons.replaceAll('\n', '; ')}`,
  }
}
