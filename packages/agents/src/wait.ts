import type { Clock } from '@tutti/runtime'

/** Resolves after `ms`, or when the signal is aborted. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const timer = clock.timer(ms, finish)
    signal.addEventListener('abort', finish, { once: true })

    function finish(): void {
      timer.cancel()
      signal.removeEventListener('abort', finish)
      resolve()
    }
  })
}
