/**
 * Interrupt polls per nominal millisecond. The engine polls once per 10,000 calls or turns of a loop; a real
 * millisecond holds seven polls of an empty loop, three or four of arithmetic and calls, half a poll of making
 * objects.
 */
export const POLLS_PER_MS = 2

/** Promise jobs that count like one poll: a loop of nothing but awaits hardly polls. */
export const JOBS_PER_POLL = 250

/** What one uninterrupted stretch of script may burn; the same on every machine. */
export interface Fuel {
  /** Begins a new stretch. */
  refill(): void
  /** Counts a poll; true once it is used up, for ever. */
  poll(): boolean
  /** Counts promise jobs. */
  spendJobs(count: number): void
  exhausted(): boolean
}

/** A tank for stretches of `scriptCpuMs` nominal milliseconds. */
export function createFuel(scriptCpuMs: number): Fuel {
  const capacity = Math.max(1, Math.floor(scriptCpuMs * POLLS_PER_MS))
  let used = 0
  let jobs = 0
  let exhausted = false

  function burn(polls: number): boolean {
    used += polls
    if (used > capacity) exhausted = true
    return exhausted
  }

  return {
    refill: () => {
      used = 0
      jobs = 0
    },
    poll: () => burn(1),
    spendJobs: count => {
      jobs += count
      burn(Math.floor(jobs / JOBS_PER_POLL))
      jobs %= JOBS_PER_POLL
    },
    exhausted: () => exhausted,
  }
}
