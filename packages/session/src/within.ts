import type { Clock } from '@tutti/runtime'

/** Resolves with the promise, or with undefined when it takes longer or fails. */
export function within<T>(promise: Promise<T>, ms: number, clock: Clock): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = clock.timer(ms, () => resolve(undefined))
    const settle = (value: T | undefined): void => {
      timer.cancel()
      resolve(value)
    }
    promise.then(settle, () => settle(undefined))
  })
}
