import { closeSync, constants, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where a text lies. */
export interface SpilledText {
  at: number
  bytes: number
}

/** Texts that wait on disk, in a file without a name: whatever happens to the process, nothing is left. */
export interface SpilledTexts {
  /** Undefined when the disk does not take it. */
  put(text: string): SpilledText | undefined
  /** Each is taken once. */
  take(spilled: SpilledText): string
  close(): void
}

const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/** Makes its file with the first text, under a name that begins with `name` until it is open. */
export function createSpilledTexts(name: () => string, directory: string = tmpdir()): SpilledTexts {
  let file: number | undefined
  let end = 0
  let waiting = 0

  const open = (): number => {
    const path = join(directory, name())
    const opened = openSync(path, FLAGS, 0o600)
    unlinkSync(path)
    return opened
  }

  return {
    put(text) {
      const bytes = Buffer.from(text)
      try {
        file ??= open()
        for (let done = 0; done < bytes.length;)
          done += writeSync(file, bytes, done, bytes.length - done, end + done)
      } catch {
        return undefined
      }
      const spilled = { at: end, bytes: bytes.length }
      end += bytes.length
      waiting++
      return spilled
    },
    take({ at, bytes }) {
      const buffer = Buffer.alloc(bytes)
      if (file === undefined) throw new Error('the file of waiting messages is closed')
      for (let done = 0; done < bytes;) {
        const count = readSync(file, buffer, done, bytes - done, at + done)
        if (count === 0) throw new Error('the file of waiting messages is shorter than it was')
        done += count
      }
      if (--waiting === 0) {
        ftruncateSync(file)
        end = 0
      }
      return buffer.toString()
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}
