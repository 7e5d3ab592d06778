import { systemClock, type Clock } from '@tutti/runtime'

/** A clock on which long waits pass at once; short ones take their time. */
export interface LeapingClock extends Clock {
  /** How long it leapt altogether, in ms. */
  readonly leapt: number
}

/** `leap` is the shortest wait that is leapt over. */
export function createLeapingClock(leap: number): LeapingClock {
  const real = systemClock()
  let leapt = 0
  return {
    now: () => real.now() + leapt,
    timer(ms, callback) {
      if (ms < leap) return real.timer(ms, callback)
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
