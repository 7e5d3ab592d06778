/** Thrown where a wait was given up because the turn ends. */
export class TurnAborted extends Error {
  override readonly name = 'TurnAborted'
}

/** Waits no longer than the signal allows; what is waited for may go on. Rejects with TurnAborted. */
export async function untilAborted<Value>(waiting: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let release: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(new TurnAborted('the turn was stopped'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    release = () => signal.removeEventListener('abort', abort)
  })
  waiting.catch(() => {})
  return Promise.race([waiting, aborted]).finally(release)
}
