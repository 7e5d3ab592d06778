import type { Disk } from '../files/file-system.ts'
import { writeAtomically } from '../files/write-atomically.ts'

/**
 * A file that is replaced as a whole. Writes never overlap; while one is under way only the latest of the
 * others is kept, and everybody who waited is told when a text at least as new as theirs is on disk.
 */
export interface LatestFile {
  /** `text` is called when its turn comes, and not at all if a later one overtakes it. */
  write(text: () => string): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

/** `ensureHeld` is called before each write and throws when this process may not write any more. */
export function latestFile(disk: Disk, path: string, ensureHeld: () => Promise<void>): LatestFile {
  let current: Promise<void> | undefined
  let next: { text: () => string; done: Promise<void> } | undefined

  async function write(text: () => string): Promise<void> {
    await ensureHeld()
    await writeAtomically(disk, path, text())
  }

  function start(work: Promise<void>): Promise<void> {
    current = work
    const clear = (): void => {
      if (current === work) current = undefined
    }
    work.then(clear, clear)
    return work
  }

  return {
    write(text) {
      if (next) {
        next.text = text
        return next.done
      }
      if (!current) return start(write(text))
      const waiting = { text, done: Promise.resolve() }
      waiting.done = current
        .catch(() => {})
        .then(() => {
          next = undefined
          return start(write(() => waiting.text()))
        })
      next = waiting
      return waiting.done
    },
    async idle() {
      while (next ?? current) await (next?.done ?? current)?.catch(() => {})
    },
  }
}
