import { constants } from 'node:fs'
import type { FileSystem } from './file-system.ts'
import { errnoOf, isMissing, unreadable } from './file-errors.ts'

/** Opens without following a symbolic link in the last part. Windows has no such flag. */
export const NO_FOLLOW: number = constants.O_NOFOLLOW ?? 0

/**
 * Text of a plain file; undefined when it is missing. Throws JournalError for links, other kinds, and more than
 * `maxBytes`.
 */
export async function readText(
  fs: FileSystem,
  path: string,
  maxBytes: number = Infinity,
): Promise<string | undefined> {
  let handle
  try {
    handle = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw errnoOf(error) === 'ELOOP'
      ? unreadable(path, 'it is a symbolic link', error)
      : unreadable(path, (error as Error).message, error)
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw unreadable(path, 'it is not a plain file')
    if (stat.size > maxBytes) throw unreadable(path, `it has ${stat.size} bytes, more than ${maxBytes}`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
