import { constants } from 'node:fs'
import type { FileSystem } from '../files/file-system.ts'
import { NO_FOLLOW } from '../files/read-text.ts'

/** What is left to read of a run, so that a huge one ends with a word instead of the process's memory. */
export interface ReadAllowance {
  bytes: number
}

/**
 * All of a plain file of at most `maxBytes`, charged to the allowance. Throws Error with a reason for people;
 * a symbolic link is not followed.
 */
export async function readBytes(
  fs: FileSystem,
  path: string,
  { maxBytes, allowance }: { maxBytes: number; allowance: ReadAllowance },
): Promise<Buffer> {
  const handle = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW)
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error('it is not a plain file')
    if (stat.size > maxBytes) throw new Error(`it has ${stat.size} bytes, more than ${maxBytes}`)
    if (stat.size > allowance.bytes) throw new Error('the run is too large to be read as a whole')
    allowance.bytes -= stat.size
    const bytes = Buffer.alloc(stat.size)
    let done = 0
    while (done < bytes.length) {
      const { bytesRead } = await handle.read(bytes, done, bytes.length - done, done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return bytes.subarray(0, done)
  } finally {
    await handle.close()
  }
}
