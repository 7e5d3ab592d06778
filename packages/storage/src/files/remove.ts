import type { FileSystem } from './file-system.ts'

/** Removes a file that may not be there. What cannot be removed stays. */
export async function unlinkQuietly(fs: FileSystem, path: string): Promise<void> {
  await fs.unlink(path).catch(() => {})
}
