import { constants } from 'node:fs'
import { isMissing, symbolicLink, unreadable, writeFailed, errnoOf } from '../files/file-errors.ts'
import type { FileHandle, FileSystem } from '../files/file-system.ts'
import { NO_FOLLOW } from '../files/read-text.ts'
import { FILE_MODE } from '../files/write-atomically.ts'
import { readJournal, type JournalContent } from './read-journal.ts'

/** Makes the journal of a new run. Fails if there is one. */
export async function createJournal(fs: FileSystem, path: string): Promise<FileHandle> {
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL
    return await fs.open(path, flags | NO_FOLLOW, FILE_MODE)
  } catch (error) {
    throw writeFailed(path, error)
  }
}

/** Opens a journal for going on: reads it and cuts a torn last line off. Undefined when it is missing. */
export async function openJournal(
  fs: FileSystem,
  path: string,
): Promise<{ handle: FileHandle; content: JournalContent } | undefined> {
  const handle = await openPlain(fs, path, constants.O_RDWR | constants.O_APPEND)
  if (!handle) return undefined
  try {
    const content = await readJournal(handle, path)
    if (content.tornBytes > 0) {
      await handle.truncate(content.wholeBytes)
      await handle.sync()
    }
    return { handle, content }
  } catch (error) {
    await handle.close()
    throw writeFailed(path, error)
  }
}

/** Reads a journal that somebody may be writing. Undefined when it is missing. */
export async function loadJournal(fs: FileSystem, path: string): Promise<JournalContent | undefined> {
  const handle = await openPlain(fs, path, constants.O_RDONLY)
  if (!handle) return undefined
  try {
    return await readJournal(handle, path)
  } finally {
    await handle.close()
  }
}

async function openPlain(fs: FileSystem, path: string, flags: number): Promise<FileHandle | undefined> {
  let handle: FileHandle
  try {
    handle = await fs.open(path, flags | constants.O_NONBLOCK | NO_FOLLOW)
  } catch (error) {
    if (isMissing(error)) return undefined
    if (errnoOf(error) === 'ELOOP') throw symbolicLink(path)
    throw flags === constants.O_RDONLY ? unreadable(path, String(error), error) : writeFailed(path, error)
  }
  if ((await handle.stat()).isFile()) return handle
  await handle.close()
  throw unreadable(path, 'it is not a plain file')
}
