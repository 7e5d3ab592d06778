import { join } from 'node:path'
import type { FileSystem } from '../files/file-system.ts'
import { isMissing } from '../files/file-errors.ts'

/** What lies at a path, its contents first; symbolic links are not followed. Bytes of directories do not count. */
export interface FoundEntry {
  path: string
  isDirectory: boolean
  bytes: number
}

/** Everything at and below a path, children before their directory; empty when nothing is there. */
export async function entriesBelow(fs: FileSystem, path: string): Promise<FoundEntry[]> {
  const stat = await fs.lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!stat) return []
  if (!stat.isDirectory()) return [{ path, isDirectory: false, bytes: stat.size }]
  const entries: FoundEntry[] = []
  for (const name of await fs.readdir(path)) entries.push(...(await entriesBelow(fs, join(path, name))))
  return [...entries, { path, isDirectory: true, bytes: 0 }]
}

/** Removes an entry; one that is gone already is fine. */
export async function removeEntry(fs: FileSystem, { path, isDirectory }: FoundEntry): Promise<void> {
  try {
    await (isDirectory ? fs.rmdir(path) : fs.unlink(path))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
