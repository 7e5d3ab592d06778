/** The last in line for each place. */
const lines = new Map<string, Promise<void>>()

/**
 * Waits until nobody of this process uses the place any more; gives how to leave it. Rejects with the signal's reason
 * when it is aborted meanwhile.
 */
export async function enterAlone(place: string, signal: AbortSignal): Promise<() => void> {
  const before = lines.get(place)
  let leave: () => void = () => {}
  const mine = new Promise<void>(resolve => (leave = resolve))
  const after = Promise.all([before, mine]).then(() => {})
  lines.set(place, after)
  void after.then(() => {
    if (lines.get(place) === after) lines.delete(place)
  })
  try {
    if (before) await orAborted(before, signal)
    signal.throwIfAborted()
    return leave
  } catch (error) {
    leave()
    throw error
  }
}

async function orAborted(waiting: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort: () => void = () => {}
  const aborted = new Promise<void>(resolve => (abort = resolve))
  signal.addEventListener('abort', abort, { once: true })
  await Promise.race([waiting, aborted])
  signal.removeEventListener('abort', abort)
}
