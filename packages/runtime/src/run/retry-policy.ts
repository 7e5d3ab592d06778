import { TRANSIENT_CAUSES, type Cause } from '@tutti/protocol'
import type { Random } from '../ports/random.ts'
import type { RetryOption } from './call-options.ts'

const TRANSIENT: ReadonlySet<Cause> = new Set(TRANSIENT_CAUSES)
const ONCE: ReadonlySet<Cause> = new Set(['stalled', 'no_final_text', 'crashed'])
const FIRST_DELAY_MS = 500
const LONGEST_DELAY_MS = 60_000

/** Extra tries a cause is worth. `override` replaces the number, not whether the cause is tried again. */
export function extraTries(cause: Cause, override: number | undefined): number {
  if (TRANSIENT.has(cause)) return override ?? 5
  if (ONCE.has(cause)) return override ?? 1
  return 0
}

/** The option `retries` in its long form. */
export function retryOption(given: number | RetryOption | undefined): RetryOption {
  return typeof given === 'number' ? { max: given } : (given ?? {})
}

/** Causes of one class share their number of extra tries. */
export function retryClass(cause: Cause): string {
  return TRANSIENT.has(cause) ? 'transient' : cause
}

export interface Backoff {
  cause: Cause
  /** How often this class of causes has occurred in the call, from 1. */
  count: number
  retryAfterMs: number | undefined
}

/** Milliseconds to wait before the next try: exponential with jitter, never less than the backend asks. */
export function backoffMs({ cause, count, retryAfterMs }: Backoff, random: Random): number {
  if (!TRANSIENT.has(cause)) return 0
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - 1))
  return Math.max(retryAfterMs ?? 0, ceiling * (0.5 + random.next() / 2))
}
