import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/**
 * Text of a plain file of at most `maxBytes`, reached through links or not; undefined when it is missing.
 * A pipe or device is refused, so that reading always ends. Throws Error.
 */
export async function readSmallFile(path: string, maxBytes: number): Promise<string | undefined> {
  let handle
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Error('it is not a plain file')
    if (stat.size > maxBytes) throw new Error(`it has ${stat.size} bytes, more than ${maxBytes}`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
