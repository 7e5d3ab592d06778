import type { JsonValue } from '@tutti/protocol'

/**
 * What the host and the thread say to each other: strings, because they cross much faster than objects. The
 * first character says what it is.
 *
 * To the thread: `o` + JSON of OpenMessage · `s` start · `v` / `e` + `<id> <spent> ` + JSON: a value, an error ·
 * `c` + JSON of ChildMessage · `m` + JSON list of such messages, to be taken in turn. From it: `r` ready · `{…` JSON
 * of PumpResult · `t<count> {…` how many of a list were taken, and the result of the last · `f` + JSON of
 * FailureMessage.
 */
export interface OpenMessage {
  source: string
  args?: JsonValue
  run: { id: string; startedAt: number }
  budgetTotal: number | null
  entries: number
  scriptCpuMs: number
  scriptMemoryMiB: number
}

export interface ChildMessage {
  id: number
  path: string
  name: string
  source: string
  args?: JsonValue
}

/** A list of messages is left off after so long: the host may want to stop. */
export const TURN_MS = 1000

/** Why the engine cannot go on. */
export interface FailureMessage {
  kind: 'timeout' | 'stuck' | 'unopened' | 'memory' | 'crash'
  message?: string
  /** Where the script was. */
  place?: string
}
