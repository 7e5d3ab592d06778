import type { Cause, JsonObject } from '@tutti/protocol'

/** What a backend is brought to in one case. */
export type ConformanceCase =
  /** Ends with a text. */
  | 'ok'
  /** Submits `{ n: 1 }`. */
  | 'schema ok'
  /** Submits `{ n: '1' }`, and `{ n: 1 }` when that is refused. */
  | 'schema wrong then right'
  /** Submits `{ n: '1' }` as often as it may. */
  | 'schema never right'
  /** Has a schema, and only talks. */
  | 'schema never called'
  /** Uses a tool that fails, then ends with a text. */
  | 'tool error'
  /** Wants to write the file `forbidden` in its folder, which it may not. */
  | 'permission denied'
  /** Says something, then nothing more, and never ends. */
  | 'hang'
  /** Is refused as one of too many requests, without end. */
  | '429 storm'
  /** Meets an overloaded server, without end. */
  | '529'
  /** Has a credential that is not accepted. */
  | 'auth'
  /** Has used its account up. */
  | 'quota'
  /** What it works with is gone in the middle. */
  | 'crash'
  /** Gets what cannot be read. */
  | 'garbage'

/** The schema of every case that has one. */
export const CONFORMANCE_SCHEMA: JsonObject = {
  type: 'object',
  required: ['n'],
  properties: { n: { type: 'integer' } },
}

/** Cases that end with a failure, and the causes that tell it well. */
export const FAILURES: Partial<Record<ConformanceCase, readonly Cause[]>> = {
  '429 storm': ['rate_limited'],
  '529': ['overloaded'],
  auth: ['auth'],
  quota: ['quota', 'billing'],
  crash: ['crashed', 'network', 'command_failed'],
  garbage: ['crashed', 'server_error', 'network', 'schema_rejected'],
}
