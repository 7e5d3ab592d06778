/** Causes that are tried again, up to five times, within one call. */
export const TRANSIENT_CAUSES = ['rate_limited', 'overloaded', 'network', 'server_error'] as const

/** Causes after which the account cannot go on: they pause the run. */
export const BREAKER_CAUSES = ['quota', 'auth', 'billing'] as const

/** The closed list of why an agent ended otherwise than well; holds the two lists above. */
export const CAUSES = [
  'rate_limited',
  'overloaded',
  'network',
  'server_error',
  'quota',
  'auth',
  'billing',
  'timeout',
  'stalled',
  'no_final_text',
  'schema_not_called',
  'schema_rejected',
  'max_turns',
  'context_overflow',
  'refused',
  'permission_denied',
  'invalid_request',
  'model_not_found',
  'backend_unavailable',
  'isolation_failed',
  'command_failed',
  'crashed',
  'skipped',
  'stopped',
] as const

export type TransientCause = (typeof TRANSIENT_CAUSES)[number]
export type BreakerCause = (typeof BREAKER_CAUSES)[number]

/** Why an agent ended otherwise than well: in the journal, the record, the wire and `agent.settled()`. */
export type Cause = (typeof CAUSES)[number]

/** What an outcome may have changed outside of the agent. `unknown`: the backend does not say. */
export type Effects = 'none' | 'isolated' | 'yes' | 'unknown'

export const EFFECTS = ['none', 'isolated', 'yes', 'unknown'] as const
