import { sha256 } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import { unreadable } from '../files/file-errors.ts'
import { makeDurableDirectory, syncDirectory } from '../files/make-directory.ts'
import { readText } from '../files/read-text.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { blobPath, type RunPaths } from '../layout.ts'

/** Stores text under its sha256, once; resolves to it when the text is durable. */
export type BlobWriter = (text: string) => Promise<string>

export function openBlobs(disk: Disk, paths: RunPaths): BlobWriter {
  let directory: Promise<void> | undefined
  return async text => {
    const hash = sha256(text)
    const path = blobPath(paths, hash)
    directory ??= makeDurableDirectory(disk, paths.sessionDirectory, paths.blobs)
    await directory
    const found = await disk.fs.lstat(path).catch(() => undefined)
    // Whoever wrote it may not have come to the sync yet.
    if (found?.isFile() && found.size === Buffer.byteLength(text)) await syncDirectory(disk.fs, paths.blobs)
    else await writeAtomically(disk, path, text)
    return hash
  }
}

/** Throws JournalError `journal-unreadable` when it is missing or is not what was written. */
export async function readBlob(disk: Disk, paths: RunPaths, hash: string): Promise<string> {
  const path = blobPath(paths, hash)
  const text = await readText(disk.fs, path)
  if (text === undefined) throw unreadable(path, 'it is missing')
  if (sha256(text) !== hash) throw unreadable(path, 'it is damaged, its content does not match its name')
  return text
}
