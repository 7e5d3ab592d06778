import { dirname, join, relative, sep } from 'node:path'
import type { Disk, FileSystem } from './file-system.ts'
import { errnoOf, isMissing, symbolicLink } from './file-errors.ts'

const DIRECTORY_MODE = 0o700

/** Makes the root, which may be reached through symbolic links. */
export async function makeRoot(disk: Disk, root: string): Promise<void> {
  await disk.fs.mkdir(root, { recursive: true, mode: DIRECTORY_MODE })
}

/**
 * Makes `directory` and what is missing between it and `base`, which exists; mode 0700. Every part must be
 * a real directory, else it throws JournalError.
 */
export async function makeDirectory(disk: Disk, base: string, directory: string): Promise<void> {
  for (const path of pathsTo(base, directory)) {
    if (await isRealDirectory(disk.fs, path)) continue
    if (await makeOne(disk, path)) await syncDirectory(disk.fs, dirname(path))
  }
}

/** The same; what somebody else made a moment ago is on disk too when it resolves. */
export async function makeDurableDirectory(disk: Disk, base: string, directory: string): Promise<void> {
  await makeDirectory(disk, base, directory)
  for (const path of pathsTo(base, directory)) await syncDirectory(disk.fs, dirname(path))
}

/** False when nothing is there; throws JournalError for a symbolic link or another kind of file. */
export async function isRealDirectory(fs: FileSystem, path: string): Promise<boolean> {
  try {
    if ((await fs.lstat(path)).isDirectory()) return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
  throw symbolicLink(path)
}

/** Makes the entries of a directory durable. File systems that cannot do it are trusted. */
export async function syncDirectory(fs: FileSystem, path: string): Promise<void> {
  const handle = await fs.open(path, 'r')
  try {
    await handle.sync()
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EISDIR', 'ENOTSUP'].includes(errnoOf(error) ?? '')) throw error
  } finally {
    await handle.close()
  }
}

/** The directories below `base` on the way to `directory`, and itself. */
function pathsTo(base: string, directory: string): string[] {
  const paths: string[] = []
  for (const part of relative(base, directory).split(sep).filter(Boolean)) {
    paths.push(join(paths.at(-1) ?? base, part))
  }
  return paths
}

/** False when somebody else was faster. */
async function makeOne(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.fs.mkdir(path, { mode: DIRECTORY_MODE })
    return true
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    await isRealDirectory(disk.fs, path)
    return false
  }
}
