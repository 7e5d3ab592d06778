import type { Clock, Timer } from '@tutti/runtime'
import type { Outbox } from './outbox.ts'

const SILENCE_MS = 5000

/**
 * Says something while work goes on in silence: a reader that is gone is only noticed by writing to it. Returns how to
 * end it.
 */
export function keepAlive(outbox: Outbox, clock: Clock, works: () => boolean): () => void {
  let timer: Timer
  let told = outbox.written
  const begin = (): void => {
    timer = clock.timer(SILENCE_MS, () => {
      if (works() && outbox.written === told) outbox.write({ type: 'keep_alive' })
      told = outbox.written
      begin()
    })
  }
  begin()
  return () => timer.cancel()
}
