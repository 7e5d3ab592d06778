import { systemClock, type Clock } from '@tutti/runtime'

/** A clock on which waits of a certain length pass at once; others take their time. */
export interface LeapingClock extends Clock {
  /** How long it leapt altogether, in ms. */
  readonly leapt: number
}

/** `from` and `to`: the waits that are leapt over, in ms. */
export function createLeapingClock({ from, to }: { from: number; to: number }): LeapingClock {
  const real = systemClock()
  let leapt = 0
  return {
    now: () => real.now() + leapt,
    timer(ms, callback) {
      if (ms < from || ms > to) return real.timer(ms, callback)
      return real.timer(0, () => {
        leapt += ms
        callback()
      })
    },
    get leapt() {
      return leapt
    },
  }
}
