import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from './git.ts'
import { adminFolder } from './repository.ts'
import type { Tree } from './tree.ts'

/** Folders that tools fill and can fill again. */
const DISPOSABLE = new Set(
  'node_modules __pycache__ .venv venv .cache .pytest_cache .mypy_cache .ruff_cache .turbo .next .gradle'.split(
    ' ',
  ),
)

/**
 * Whether anything would be lost with a tree: changes, commits (also ones that it was taken off again), and
 * ignored files, unless they lie in a folder of a package manager or a cache.
 */
export async function hasWork(
  { path, base }: Tree,
  env: Record<string, string | undefined>,
  { commits = true }: { commits?: boolean } = {},
): Promise<boolean> {
  if (commits && (await hasBeenElsewhere(await adminFolder(path), base))) return true
  const args = ['--porcelain=v2', '--branch', '-z', '--ignored=matching', '--untracked-files=normal']
  const status = await git(['status', ...args], { cwd: path, env })
  const lines = status.split('\0').filter(line => line !== '')
  if (!lines.includes(`# branch.oid ${base}`)) return true
  for (const line of lines.filter(one => !one.startsWith('# '))) {
    if (!line.startsWith('! ')) return true
    if (!(await isDisposable(path, line.slice(2)))) return true
  }
  return false
}

/** A commit that was made and left again is known to the log of the tree's HEAD only. */
async function hasBeenElsewhere(admin: string, base: string): Promise<boolean> {
  const log = await readFile(join(admin, 'logs', 'HEAD'), 'utf8').catch(() => '')
  return log
    .split('\n')
    .filter(line => line !== '')
    .some(line => line.split(' ')[1] !== base)
}

async function isDisposable(top: string, ignored: string): Promise<boolean> {
  const parts = ignored.split('/').filter(part => part !== '')
  if (parts.some(part => DISPOSABLE.has(part))) return true
  if (!ignored.endsWith('/')) return /\.(pyc|pyo|tsbuildinfo)$/.test(ignored) || parts.at(-1) === '.DS_Store'
  return stat(join(top, ignored, 'CACHEDIR.TAG')).then(
    () => true,
    () => false,
  )
}
