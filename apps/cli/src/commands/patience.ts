import type { RunEnd } from '@tutti/runtime'

/** Decides when a run that the circuit breaker paused is tried again. */
export interface Patience {
  /** Time of the next attempt, in ms since the epoch; undefined: no more. */
  next(end: RunEnd, now: number): number | undefined
}

const FIRST_MS = 60_000
const MOST_MS = 30 * 60_000
const ALTOGETHER_MS = 24 * 60 * 60_000
/** Clocks differ a little. */
const MARGIN_MS = 1000

/** Causes that a person or time can mend; a pause by a person is for a person to end. */
const BREAKERS: ReadonlySet<string | undefined> = new Set(['quota', 'auth', 'billing'])

/**
 * At the reset time. When none is known: after 1, 2, 4 … at most 30 minutes, 24 hours altogether. An attempt in which
 * an agent finished begins this anew; a reset time that proves wrong is trusted no sooner than those minutes.
 */
export function createPatience(): Patience {
  let fruitless = 0
  let waited = 0
  return {
    next({ status, pausedBy, resetAt, record }, now) {
      if (status !== 'paused' || !BREAKERS.has(pausedBy)) return undefined
      if (record.census.ok > 0) {
        fruitless = 0
        waited = 0
      }
      const pause = Math.min(FIRST_MS * 2 ** fruitless, MOST_MS)
      const reset = resetAt !== undefined && resetAt > now ? resetAt - now + MARGIN_MS : undefined
      const first = fruitless === 0
      fruitless++
      if (reset !== undefined) return now + (first ? reset : Math.max(reset, pause))
      if (waited + pause > ALTOGETHER_MS) return undefined
      waited += pause
      return now + pause
    },
  }
}
