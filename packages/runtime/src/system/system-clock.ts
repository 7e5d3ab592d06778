import type { Clock } from '../ports/clock.ts'

/** Longer ones would end at once. */
const LONGEST_MS = 2 ** 31 - 1

/** The machine's clock. Its timers do not keep the process alive, and may be of any length. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    timer(ms, callback) {
      let handle: ReturnType<typeof setTimeout>
      const wait = (left: number): void => {
        const next = (): void => (left > LONGEST_MS ? wait(left - LONGEST_MS) : callback())
        handle = setTimeout(next, Math.min(left, LONGEST_MS))
        handle.unref()
      }
      wait(ms)
      return { cancel: () => clearTimeout(handle) }
    },
  }
}
