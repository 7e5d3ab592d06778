import { tryGit } from './git.ts'
import type { AgentTree } from './list-trees.ts'
import type { Repository } from './repository.ts'
import { removeTree } from './tree.ts'

export type DiscardResult =
  | { kind: 'removed'; /** It still holds the work. */ keptBranch?: string }
  | { kind: 'refused'; reason: string }

/**
 * Removes a tree. With work that is nowhere else it is refused unless `force` says so; a branch with commits that
 * are not merged stays in any case.
 */
export async function discardTree(
  repository: Repository,
  tree: AgentTree,
  { force = false }: { force?: boolean } = {},
): Promise<DiscardResult> {
  const { top, env } = repository
  const at = { cwd: top, env }
  if (!force && tree.inUseBy !== undefined)
    return { kind: 'refused', reason: `process ${tree.inUseBy} that made it still runs` }
  if (!force && tree.state === 'uncommitted')
    return { kind: 'refused', reason: `it has changes or ignored files that are in no commit` }
  if (!force && tree.state === 'changed' && tree.branch === undefined)
    return { kind: 'refused', reason: 'it has commits that are on no branch' }
  await removeTree(repository, tree.path)
  const { branch } = tree
  if (branch === undefined || !branch.startsWith('tutti/')) return { kind: 'removed' }
  if (tree.state !== 'merged' && tree.head !== tree.base) return { kind: 'removed', keptBranch: branch }
  await tryGit(['branch', '-D', branch], at)
  return { kind: 'removed' }
}
