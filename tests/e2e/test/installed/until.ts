import { setTimeout as wait } from 'node:timers/promises'

/** Waits until something that another process does is seen. Throws after `seconds`. */
export async function until(what: string, holds: () => boolean, seconds: number = 20): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!holds()) {
    if (Date.now() > end) throw new Error(`${what}: not seen within ${seconds} s`)
    await wait(5)
  }
}
