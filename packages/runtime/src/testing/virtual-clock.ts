import type { Clock, Timer } from '../ports/clock.ts'

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /**
   * Moves time on by `ms` and fires what is due, in order of due time, then of creation. Work that is
   * waiting for promises runs before the first and after each timer, so timers set meanwhile count too.
   */
  advance(ms: number): Promise<void>
  /** Timers that have not fired. */
  pending(): number
}

interface PendingTimer {
  due: number
  order: number
  callback: () => void
}

const DEFAULT_START = Date.UTC(2026, 0, 1)

/** A clock for tests. `start` is in milliseconds since the epoch. */
export function createVirtualClock(start: number = DEFAULT_START): VirtualClock {
  const timers = new Set<PendingTimer>()
  let now = start
  let created = 0

  return {
    now: () => now,
    timer(ms, callback): Timer {
      const timer: PendingTimer = { due: now + (ms > 0 ? ms : 0), order: created++, callback }
      timers.add(timer)
      return { cancel: () => void timers.delete(timer) }
    },
    async advance(ms) {
      const target = now + ms
      await settled()
      for (let timer = earliest(timers, target); timer; timer = earliest(timers, target)) {
        timers.delete(timer)
        now = Math.max(now, timer.due)
        timer.callback()
        await settled()
      }
      now = Math.max(now, target)
    },
    pending: () => timers.size,
  }
}

function earliest(timers: Set<PendingTimer>, until: number): PendingTimer | undefined {
  let found: PendingTimer | undefined
  for (const timer of timers) {
    if (timer.due > until) continue
    if (!found || timer.due < found.due || (timer.due === found.due && timer.order < found.order))
      found = timer
  }
  return found
}

/** All that waits for promises has run. */
function settled(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
