import { git, tryGit } from './git.ts'
import type { AgentTree } from './list-trees.ts'
import type { Repository } from './repository.ts'

/** What merging a tree into the checkout would do, or did. */
export type MergeResult =
  | { kind: 'merged' | 'would merge'; files: string[] }
  | { kind: 'nothing to merge' }
  /** Nothing was changed. */
  | { kind: 'conflicts'; files: string[] }
  | { kind: 'refused'; reason: string }

/**
 * Merges the commits of a tree into what the project has checked out. Tried without touching anything first; with
 * conflicts nothing is changed. Hooks of the repository are run.
 */
export async function mergeTree(
  { top, env }: Repository,
  tree: AgentTree,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<MergeResult> {
  const at = { cwd: top, env }
  if (tree.state === 'uncommitted')
    return { kind: 'refused', reason: `it has uncommitted changes; commit them in ${tree.path}` }
  if (tree.state !== 'changed') return { kind: 'nothing to merge' }
  const tried = await tryGit(['merge-tree', '--write-tree', '--name-only', '-z', 'HEAD', tree.head], at)
  if (tried.code === 1) return { kind: 'conflicts', files: conflictsIn(tried.stdout) }
  if (tried.code !== 0) return { kind: 'refused', reason: tried.stderr.trim() }
  const [written = ''] = tried.stdout.split('\0')
  const changed = await git(['diff', '--name-only', '-z', 'HEAD', written], at)
  const files = changed.split('\0').filter(name => name !== '')
  if (dryRun) return { kind: 'would merge', files }
  const message = `Merge ${tree.branch ?? tree.name}`
  const merged = await tryGit(['merge', '--no-ff', '-m', message, tree.branch ?? tree.head], {
    ...at,
    hooks: true,
  })
  if (merged.code === 0) return { kind: 'merged', files }
  // What could not be finished, by a hook for example, is taken back.
  await tryGit(['merge', '--abort'], at)
  return { kind: 'refused', reason: (merged.stderr || merged.stdout).trim().replaceAll(/\s+/g, ' ') }
}

/** The tree, then the files with conflicts, then messages; the parts are divided by an empty entry. */
function conflictsIn(output: string): string[] {
  const [, ...entries] = output.split('\0')
  const end = entries.indexOf('')
  return [...new Set(end < 0 ? entries : entries.slice(0, end))]
}
