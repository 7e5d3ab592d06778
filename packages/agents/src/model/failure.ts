import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  JSONParseError,
  TypeValidationError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import type { Cause } from '@tutti/protocol'
import { quotaResetOf, retryAfterOf } from './rate-limit-headers.ts'

/** Why an endpoint did not answer. */
export interface EndpointFailure {
  cause: Cause
  message: string
  retryAfterMs?: number
  resetAt?: number
}

/** What is known of an error, whichever way it came: as a response, within a stream, or from the connection. */
interface Complaint {
  status?: number
  /** Kind and code words of the endpoint. */
  kind: string
  message: string
  headers: Record<string, string>
  /** Which kind of limit was reached, whatever the words. */
  limit?: 'rate_limited' | 'quota' | undefined
}

/** The provider's package would not send the request. */
const NOT_SENT = [UnsupportedFunctionalityError, InvalidArgumentError, InvalidPromptError]

const BILLING = /billing|payment|credit balance|insufficient[ _](funds|balance|credit)|prepaid/i
const QUOTA = /quota|usage limit|spend(ing)? limit|monthly limit|weekly limit|daily limit/i
const CONTEXT =
  /context[ _](length|window)|maximum context|prompt is too long|too many (input )?tokens|input is too long|max(imum)?[ _]tokens? exceeded|request_too_large/i
const MODEL = /model/i
const FILTER = /content[ _]?(filter|policy|management)|safety|flagged/i

/** A limit that holds for longer does not pass within a call: the run pauses and says when it may go on. */
const LONGEST_PASSING_MS = 10 * 60 * 1000

/** Maps an error of a provider to a cause of the closed list. `now` is the time, for the headers. */
export function endpointFailure(error: unknown, now: number): EndpointFailure {
  const complaint = complaintOf(error)
  const cause = causeOf(complaint)
  const message = describe(complaint)
  if (cause === 'quota' || cause === 'billing') {
    const resetAt = quotaResetOf(complaint.headers, now)
    return resetAt === undefined ? { cause, message } : { cause, message, resetAt }
  }
  const retryAfterMs = retryAfterOf(complaint.headers, now)
  if (retryAfterMs === undefined) return { cause, message }
  return cause === 'rate_limited' && retryAfterMs > LONGEST_PASSING_MS
    ? { cause: 'quota', message, resetAt: now + retryAfterMs }
    : { cause, message, retryAfterMs }
}

/** What came of the way and the server, and not of what was asked. */
export function isLostOnTheWay(cause: Cause): boolean {
  return cause === 'network' || cause === 'overloaded' || cause === 'server_error'
}

/** The account can't go on: no matter of load, and not to be tried again soon. */
export function isAccountSpent(text: string): boolean {
  return limitOf(text) !== 'rate_limited' && (BILLING.test(text) || QUOTA.test(text))
}

/** Google calls every limit a quota, and says for those that pass when to come again. */
function limitOf(text: string): 'rate_limited' | 'quota' | undefined {
  if (!/"retryDelay"/.test(text)) return undefined
  return /PerDay/.test(text) ? 'quota' : 'rate_limited'
}

/** Milliseconds, from the body of an answer of Google. */
export function retryDelayOf(text: string): number | undefined {
  const seconds = /"retryDelay":\s*"([\d.]+)s"/.exec(text)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

function causeOf({ status, kind, message, limit }: Complaint): Cause {
  if (status === 429 && limit) return limit
  const words = `${kind} ${message}`
  if (status === undefined) return causeOfKind(kind, words)
  if (status === 402) return QUOTA.test(words) && !BILLING.test(words) ? 'quota' : 'billing'
  if (status === 429) return BILLING.test(words) ? 'billing' : QUOTA.test(words) ? 'quota' : 'rate_limited'
  if (status === 401 || status === 403) return BILLING.test(words) ? 'billing' : 'auth'
  if (status === 529 || status === 503) return 'overloaded'
  if (status === 408) return 'network'
  if (status >= 500)
    return /overloaded/i.test(kind)
      ? 'overloaded'
      : status === 500
        ? causeOfKind(kind, words)
        : 'server_error'
  if (status === 413 || CONTEXT.test(words)) return 'context_overflow'
  if (status === 404)
    return MODEL.test(words) || /not_found/i.test(kind) ? 'model_not_found' : 'invalid_request'
  if (BILLING.test(words)) return 'billing'
  if (FILTER.test(kind) || /blocked by content filter/i.test(message)) return 'refused'
  return /model[_ ]not[_ ]found/i.test(words) ? 'model_not_found' : 'invalid_request'
}

/** An error inside a stream has a kind but no status of its own. */
function causeOfKind(kind: string, words: string): Cause {
  if (/overloaded/i.test(kind)) return 'overloaded'
  if (QUOTA.test(words)) return 'quota'
  if (/rate_limit/i.test(kind)) return 'rate_limited'
  if (/billing/i.test(kind)) return 'billing'
  if (/authentication|permission/i.test(kind)) return 'auth'
  if (/invalid_request/i.test(kind)) return CONTEXT.test(words) ? 'context_overflow' : 'invalid_request'
  if (/network/.test(kind)) return 'network'
  return 'server_error'
}

function describe({ status, kind, message }: Complaint): string {
  const text = message.replaceAll(/\s+/g, ' ').trim().slice(0, 500) || 'no reason given'
  if (status === undefined)
    return kind === 'network'
      ? `the connection to the model endpoint failed: ${text}`
      : `the model endpoint reported ${kind}: ${text}`
  return `the model endpoint answered ${status}${kind ? ` (${kind})` : ''}: ${text}`
}

function complaintOf(error: unknown): Complaint {
  if (APICallError.isInstance(error) && (error.statusCode ?? 0) >= 300) {
    const body = bodyOf(error.responseBody)
    const { statusCode: status, responseHeaders, responseBody = '' } = error
    const delay = retryDelayOf(responseBody)
    const headers = { ...(delay !== undefined && { 'retry-after-ms': String(delay) }), ...responseHeaders }
    const message = body.message ?? error.message
    return { status, kind: body.kind, message, headers, limit: limitOf(responseBody) }
  }
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return { kind: 'a malformed answer', message: rootMessage(error), headers: {} }
  }
  if (NOT_SENT.some(kind => kind.isInstance(error)))
    return { kind: 'invalid_request', message: rootMessage(error as Error), headers: {} }
  if (error instanceof Error) return { kind: 'network', message: rootMessage(error), headers: {} }
  const body = bodyOf(typeof error === 'string' ? error : JSON.stringify(error))
  return { kind: body.kind || 'server_error', message: body.message ?? String(error), headers: {} }
}

/** Kind and message of the bodies that the wires send: `{ error: { type, code, status, message } }`, or the inner part. */
function bodyOf(text: string | undefined): { kind: string; message?: string } {
  let body: unknown
  try {
    body = JSON.parse(text ?? '')
  } catch {
    return text ? { kind: '', message: text } : { kind: '' }
  }
  const error = fieldOf(body, 'error') ?? body
  if (typeof error === 'string') return { kind: '', message: error }
  const words = [fieldOf(error, 'type'), fieldOf(error, 'code'), fieldOf(error, 'status')].filter(
    word => typeof word === 'string',
  )
  const message = fieldOf(error, 'message')
  const kind = [...new Set(words)].join(' ')
  return typeof message === 'string' ? { kind, message } : { kind }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** `fetch failed` says nothing; its cause does. */
function rootMessage(error: Error): string {
  const { cause } = error
  return cause instanceof Error && cause.message ? `${error.message} (${rootMessage(cause)})` : error.message
}
