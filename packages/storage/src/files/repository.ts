import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * The working directory and its parents up to the repository root, nearest first; outside a repository
 * only the working directory.
 */
export function directoriesToRepositoryRoot(cwd: string): string[] {
  const directories: string[] = []
  for (let path = resolve(cwd); ; path = dirname(path)) {
    directories.push(path)
    // In a worktree or a submodule `.git` is a file.
    if (existsSync(join(path, '.git'))) return directories
    if (dirname(path) === path) return [resolve(cwd)]
  }
}
