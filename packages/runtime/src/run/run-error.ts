import type { Census, RunFailure, SerializedError } from '@tutti/protocol'

const OWN_CODES: ReadonlySet<string> = new Set([
  'script-invalid',
  'args-invalid',
  'option-invalid',
  'agent-type-unknown',
  'settings-invalid',
  'workflow-not-found',
  'run-is-owned',
  'lease-lost',
  'journal-unreadable',
  'journal-write-failed',
  'journal-newer',
  'agent-limit',
  'budget',
  'run-stopped',
  'schema-rejected',
  'schema-not-called',
  'ask-unanswered',
  'child-failed',
  'script-error',
  'unhandled-rejection',
  'script-timeout',
  'script-memory',
  'deadlock',
  'sandbox-crashed',
])

/** The message with the innermost place of the script, unless it has it already. */
export function withPlace({ message, stack }: SerializedError): string {
  const place = /[\w.-]+\.js:\d+:\d+/.exec(stack ?? '')?.[0]
  return place === undefined || message.includes(place) ? message : `${message} (${place})`
}

/** The run's error for what its script threw: our own codes stay, anything else is a ScriptError; with its place. */
export function runErrorOf(thrown: SerializedError): SerializedError {
  const place = /[\w.-]+\.js:\d+:\d+/.exec(thrown.stack ?? '')?.[0]
  const message =
    place === undefined || thrown.message.includes(place) ? thrown.message : `${thrown.message} (${place})`
  if (thrown.code !== undefined && OWN_CODES.has(thrown.code)) return { ...thrown, message }
  const named = thrown.name === 'Error' || thrown.name === '' ? message : `${thrown.name}: ${message}`
  return { ...thrown, name: 'ScriptError', code: 'script-error', message: named }
}

/** The error of a run none of whose agents came to anything. */
export function allDeadError(census: Census, failures: RunFailure[]): SerializedError {
  const causes = new Map<string, number>()
  for (const { cause } of failures) if (cause !== undefined) causes.set(cause, (causes.get(cause) ?? 0) + 1)
  const who = census.total === 1 ? 'the only agent never' : `none of the ${census.total} agents`
  const list = [...causes].map(([cause, count]) => `${cause} × ${count}`).join(', ')
  return {
    name: 'AllAgentsFailedError',
    code: 'all-agents-failed',
    message: `${who} came to a result (${list}); what the script returned is kept as the partial result`,
    hint: 'resume the run: every agent that failed is dispatched again',
  }
}
