import type { Clock } from '@tutti/runtime'

const EVERY_MS = 15_000

/** Starts to give signs of life; they end when cancelled. */
export type SignsOfLife = () => { cancel(): void }

/** Calls `sign` now and then while somebody waits. */
export function createSignsOfLife(clock: Clock, sign: () => void): SignsOfLife {
  return () => {
    let timer = clock.timer(EVERY_MS, tick)
    function tick(): void {
      sign()
      timer = clock.timer(EVERY_MS, tick)
    }
    return { cancel: () => timer.cancel() }
  }
}
