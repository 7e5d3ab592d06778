import { basename, dirname, join } from 'node:path'
import type { Disk, FileHandle, FileSystem } from './file-system.ts'
import { isMissing, symbolicLink, writeFailed } from './file-errors.ts'
import { syncDirectory } from './make-directory.ts'

export const FILE_MODE = 0o600

/**
 * Replaces a file so that a reader, and a crash at any moment, sees the old or the new text and never a
 * part. Durable when it resolves. Throws JournalError; the old file is then untouched.
 */
export async function writeAtomically(disk: Disk, path: string, text: string): Promise<void> {
  const temporary = temporaryName(disk, path)
  try {
    await refuseLink(disk.fs, path)
    await writeNew(disk.fs, temporary, text)
    await disk.fs.rename(temporary, path)
    await syncDirectory(disk.fs, dirname(path))
  } catch (error) {
    await disk.fs.unlink(temporary).catch(() => {})
    throw writeFailed(path, error)
  }
}

/** Name of a file that is renamed to `path` later. */
export function temporaryName(disk: Disk, path: string): string {
  return join(dirname(path), `.${basename(path)}.${disk.unique()}.tmp`)
}

/** Writes all of it, however little the system takes at a time. */
export async function writeFully(handle: FileHandle, bytes: Buffer): Promise<void> {
  let done = 0
  while (done < bytes.length) done += (await handle.write(bytes, done, bytes.length - done)).bytesWritten
}

async function writeNew(fs: FileSystem, path: string, text: string): Promise<void> {
  const handle = await fs.open(path, 'wx', FILE_MODE)
  try {
    await writeFully(handle, Buffer.from(text))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function refuseLink(fs: FileSystem, path: string): Promise<void> {
  try {
    if ((await fs.lstat(path)).isFile()) return
  } catch (error) {
    if (isMissing(error)) return
    throw error
  }
  throw symbolicLink(path)
}
