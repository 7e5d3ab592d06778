import type { Clock } from '../ports/clock.ts'

/** The machine's clock. Its timers do not keep the process alive. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    timer(ms, callback) {
      const handle = setTimeout(callback, ms)
      handle.unref()
      return { cancel: () => clearTimeout(handle) }
    },
  }
}
