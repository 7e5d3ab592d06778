import * as nodeFileSystem from 'node:fs/promises'
import { systemRandom } from '@tutti/runtime'
import type { Random } from '@tutti/runtime'

/** What the store needs of a file system; `node:fs/promises` is one. */
export type FileSystem = Pick<
  typeof nodeFileSystem,
  'open' | 'lstat' | 'mkdir' | 'readdir' | 'rename' | 'link' | 'unlink' | 'rmdir'
>

export type FileHandle = nodeFileSystem.FileHandle

/** A file system and a source of unique names for temporary files. */
export interface Disk {
  fs: FileSystem
  unique(): string
}

/** The disk of this machine unless told otherwise. */
export function createDisk(options: { fileSystem?: FileSystem; random?: Random } = {}): Disk {
  const random = options.random ?? systemRandom()
  return {
    fs: options.fileSystem ?? nodeFileSystem,
    unique: () => Buffer.from(random.bytes(8)).toString('hex'),
  }
}
