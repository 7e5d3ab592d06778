import { dirname, join, relative, sep } from 'node:path'
import type { FileSystem } from './file-system.ts'

/** Every directory between `base` and the last part of `path` is a real one, no symbolic link. */
export async function reachedPlainly(fs: FileSystem, base: string, path: string): Promise<boolean> {
  let at = base
  for (const part of relative(base, dirname(path)).split(sep).filter(Boolean)) {
    at = join(at, part)
    const stat = await fs.lstat(at).catch(() => undefined)
    if (!stat?.isDirectory()) return false
  }
  return true
}
