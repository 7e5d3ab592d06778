import type { Cause, JsonValue } from '@tutti/protocol'
import { parseJson } from '../json.ts'
import { missingObject, rejected, type StructuredOutput } from '../hand-in/structured-output.ts'
import { causeOfWords } from './failure-cause.ts'
import type { ObjectWay } from './prepare.ts'
import type { CliProfile } from './profile.ts'
import type { Tried } from './try.ts'

const TELLING_LINES = 6

/** What a try comes to. */
export type Verdict =
  | { kind: 'value'; value: JsonValue }
  | { kind: 'failure'; cause: Cause; message: string }
  /** The object is missing or wrong: to be said to the agent. */
  | { kind: 'again'; cause: Cause; message: string; prompt: string }

export interface Judged {
  tried: Tried
  profile: CliProfile
  command: string
  output: StructuredOutput | undefined
  way: ObjectWay | undefined
}

/** Decides how a try ended that nobody stopped. */
export function judge(judged: Judged): Verdict {
  const { tried, output } = judged
  const { told } = tried
  if (output?.submitted.accepted) return { kind: 'value', value: output.submitted.accepted.value }
  if (output?.submitted.left === 0)
    return { kind: 'failure', ...rejected(output.submitted.refused?.reasons ?? '') }
  if (tried.overTurns)
    return { kind: 'failure', cause: 'max_turns', message: 'it used more turns than maxTurns' }
  const problem = problemOf(judged)
  if (problem) return { kind: 'failure', ...problem }
  if (output) return judgeObject(judged, output)
  if (told.text.trim() === '')
    return {
      kind: 'failure',
      cause: 'no_final_text',
      message: `${judged.command} ended without a last message`,
    }
  return { kind: 'value', value: told.text }
}

function judgeObject({ tried, way, command }: Judged, output: StructuredOutput): Verdict {
  if (way === 'mcp') return { kind: 'again', ...missingObject(output.submitted, command) }
  const object = tried.told.object ?? objectIn(tried.told.text)
  if (object === undefined) {
    const prompt = 'Your last answer was not a JSON object. Answer with the object alone.'
    return {
      kind: 'again',
      cause: 'schema_not_called',
      message: 'the final text is not a JSON object',
      prompt,
    }
  }
  const { accepted, refused } = output.submit(object)
  if (accepted) return { kind: 'value', value: accepted.value }
  const prompt = `Your last answer does not match the schema:\n${refused?.reasons}\nAnswer with the corrected object alone.`
  return { kind: 'again', ...rejected(refused?.reasons ?? ''), prompt }
}

/** Why it did not come to its end; undefined when it did. */
function problemOf({ tried, profile, command }: Judged): { cause: Cause; message: string } | undefined {
  const { told, end, garbage } = tried
  const { error } = told
  const hasEnd = profile.output !== 'text' && (profile.events ?? []).some(rule => rule.done === true)
  if (end.code === 0 && told.done) return undefined
  if (error) {
    const said = `${error.kind} ${error.message}`
    const cause = error.cause ?? exitCause(profile, end.code) ?? causeOfWords(said) ?? 'server_error'
    return { cause, message: `${command} reported: ${error.message || error.kind || cause}` }
  }
  const stderr = end.stderr.trim()
  if (end.code !== 0) {
    const how = end.code === null ? `was ended by ${end.signal}` : `ended with exit code ${end.code}`
    const said = stderr || garbage || ''
    const cause =
      exitCause(profile, end.code) ??
      (end.code === null ? undefined : causeOfWords(lastLines(said))) ??
      'crashed'
    return { cause, message: `${command} ${how}${said === '' ? '' : `: ${said.slice(-1500)}`}` }
  }
  if (garbage !== undefined && told.text === '')
    return { cause: 'crashed', message: `${command} printed what cannot be read: ${garbage}` }
  return hasEnd ? { cause: 'crashed', message: `${command} ended without telling a result` } : undefined
}

/** What a command says last is why it ended; above it may be anything. */
function lastLines(text: string): string {
  return text.split('\n').slice(-TELLING_LINES).join('\n')
}

function exitCause({ exitCodes = {} }: CliProfile, code: number | null): Cause | undefined {
  return code === null ? undefined : exitCodes[String(code)]
}

/** The JSON in a final text, which may stand in a code fence. */
function objectIn(text: string): JsonValue | undefined {
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(text)?.[1]
  for (const candidate of [text, fenced]) {
    const parsed = candidate === undefined ? undefined : parseJson(candidate)
    if (parsed && 'value' in parsed) return parsed.value
  }
  return undefined
}
