import type { JsonValue } from '@tutti/protocol'
import type { AgentFailure, AgentOutcome, SchemaIssue, SubmissionVerdict } from '../ports/agent-executor.ts'
import type { SchemaValidator } from '../schema/types.ts'
import type { Call } from './call.ts'

/** Submissions an agent may make within its own loop. */
export const MAX_SUBMISSIONS = 5

/** Judges what an agent submits against the schema of its call. */
export interface Submissions {
  submit(value: JsonValue): SubmissionVerdict
  /** The last one that was refused. */
  readonly refused: { value: JsonValue; issues: SchemaIssue[] } | undefined
}

export function createSubmissions(validator: SchemaValidator): Submissions {
  let left = MAX_SUBMISSIONS
  let refused: Submissions['refused']
  return {
    get refused() {
      return refused
    },
    submit(value) {
      if (left === 0) {
        const message = `no submission left after ${MAX_SUBMISSIONS}`
        return { accepted: false, issues: [{ path: '', message }], left }
      }
      left--
      const issues = validator.validate(value)
      if (issues.length > 0) refused = { value, issues }
      return { accepted: issues.length === 0, issues, left }
    },
  }
}

export interface CheckedInput {
  call: Call
  outcome: AgentOutcome
  submissions: Submissions | undefined
  inLoop: boolean
}

/** The outcome as the run takes it: JSON for sure, and valid against the schema when there is one. */
export function checkedOutcome({ call, outcome, submissions, inLoop }: CheckedInput): AgentOutcome {
  if (outcome.status === 'failed') return withLastInvalid(outcome, submissions)
  if (!isJson(outcome.value)) {
    return refuse(outcome, 'crashed', 'the backend handed over a value that JSON cannot hold')
  }
  if (call.validator === undefined) return outcome
  const parsed = inLoop ? { value: outcome.value } : parseText(outcome.value)
  if (parsed === undefined) {
    const lastText = typeof outcome.value === 'string' ? outcome.value : JSON.stringify(outcome.value)
    return { ...refuse(outcome, 'schema_not_called', 'the final text is not a JSON object'), lastText }
  }
  const issues = call.validator.validate(parsed.value)
  if (issues.length === 0) return { ...outcome, value: parsed.value }
  const message = `the object does not match the schema: ${describeIssues(issues)}`
  return { ...refuse(outcome, 'schema_rejected', message), lastInvalid: parsed.value }
}

/**
 * The one new prompt for a backend without a loop, with the reasons; undefined where there is none to give.
 */
export function retryPrompt(call: Call, failure: AgentFailure, inLoop: boolean): string | undefined {
  if (inLoop || call.validator === undefined) return undefined
  if (failure.cause !== 'schema_rejected' && failure.cause !== 'schema_not_called') return undefined
  const schema = JSON.stringify(call.options.schema)
  return `${call.prompt}\n\nYour last answer was not accepted: ${failure.message}. Answer with one JSON object and nothing else. It must match this JSON Schema: ${schema}`
}

/** `path message`, one after the other. */
export function describeIssues(issues: SchemaIssue[]): string {
  return issues.map(({ path, message }) => `${path === '' ? 'the object' : path} ${message}`).join('; ')
}

function withLastInvalid(failure: AgentFailure, submissions: Submissions | undefined): AgentFailure {
  const refused = submissions?.refused
  if (refused === undefined || failure.lastInvalid !== undefined) return failure
  if (failure.cause !== 'schema_rejected' && failure.cause !== 'schema_not_called') return failure
  return { ...failure, lastInvalid: refused.value }
}

function refuse(outcome: AgentOutcome, cause: AgentFailure['cause'], message: string): AgentFailure {
  const { usage, effects, model, sessionId, worktree } = outcome
  return {
    status: 'failed',
    cause,
    message,
    usage,
    effects,
    ...(model !== undefined && { model }),
    ...(sessionId !== undefined && { sessionId }),
    ...(worktree && { worktree }),
  }
}

function isJson(value: unknown): boolean {
  if (typeof value === 'string') return true
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/** The object in a final text, which may stand in a code fence. */
function parseText(value: JsonValue): { value: JsonValue } | undefined {
  if (typeof value !== 'string') return { value }
  const fenced = /```(?:json)?\s*\n([\s\S]*?)\n\s*```/.exec(value)?.[1]
  for (const candidate of [value, fenced]) {
    if (candidate === undefined) continue
    try {
      return { value: JSON.parse(candidate) as JsonValue }
    } catch {
      continue
    }
  }
  return undefined
}
