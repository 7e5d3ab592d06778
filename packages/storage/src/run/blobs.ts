import { sha256 } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import { unreadable } from '../files/file-errors.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { readText } from '../files/read-text.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { blobPath, type RunPaths } from '../layout.ts'

/** Stores text under its sha256, once; resolves to it when the text is durable. */
export async function writeBlob(disk: Disk, paths: RunPaths, text: string): Promise<string> {
  const hash = sha256(text)
  const path = blobPath(paths, hash)
  const found = await disk.fs.lstat(path).catch(() => undefined)
  if (found?.isFile() && found.size === Buffer.byteLength(text)) return hash
  await makeDirectory(disk, paths.sessionDirectory, paths.blobs)
  await writeAtomically(disk, path, text)
  return hash
}

/** Throws JournalError `journal-unreadable` when it is missing or is not what was written. */
export async function readBlob(disk: Disk, paths: RunPaths, hash: string): Promise<string> {
  const path = blobPath(paths, hash)
  const text = await readText(disk.fs, path)
  if (text === undefined) throw unreadable(path, 'it is missing')
  if (sha256(text) !== hash) throw unreadable(path, 'it is damaged, its content does not match its name')
  return text
}
