import { realpath, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { WorktreeReport } from '@tutti/protocol'
import { isAlive } from './is-alive.ts'
import { adminFolder, IsolationError, requireOwnGit, worktreesFolder, type Repository } from './repository.ts'
import { noteOf, NOTE, type Tree } from './tree.ts'

/**
 * The tree that an earlier agent left, for another one to go on in. Throws IsolationError when it is gone, is none
 * of ours, or another process works in it.
 */
export async function reopenTree(
  repository: Repository,
  { path }: Pick<WorktreeReport, 'path' | 'base'>,
): Promise<Tree> {
  const { below } = repository
  if (dirname(path) !== worktreesFolder(repository))
    throw new IsolationError(`${path} is no worktree of an agent of this project`)
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined)
    throw new IsolationError(
      `the worktree ${path} of the earlier agent is gone: it was removed meanwhile; run that agent again`,
    )
  await requireOwnGit(repository, real)
  const note = real === path ? await noteOf(path) : undefined
  if (note === undefined) throw new IsolationError(`${path} is no worktree of an agent`)
  if (note.pid !== process.pid && isAlive(note.pid))
    throw new IsolationError(`the worktree ${path} is in use by process ${note.pid}`)
  const tree = { path, projectRoot: join(path, below), base: note.base }
  const isThere = await stat(tree.projectRoot).catch(() => undefined)
  if (!isThere?.isDirectory())
    throw new IsolationError(`the folder ${below} is no longer there in the worktree ${path}`)
  const admin = await adminFolder(path)
  await writeFile(join(admin, NOTE), JSON.stringify({ ...note, pid: process.pid }), { mode: 0o600 })
  return tree
}
