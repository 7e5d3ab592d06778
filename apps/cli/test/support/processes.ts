import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The text of a file that another process is about to write, once it is a whole line. */
export async function lineFrom(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return text.trimEnd()
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** False also for a process that only waits to be reaped. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
