import type { RunRecord, WorktreeReport } from '@tutti/protocol'
import { count } from './numbers.ts'
import { safeLine } from './text-width.ts'

const NAMED = 3
const LISTED_FILES = 5

/** A worktree that agents of a run left changes in, or that its end kept them from looking through. */
export interface KeptTree extends WorktreeReport {
  /** Who worked in it, the last one last. */
  agents: string[]
}

/** The worktrees of a run, each once, as the last agent that worked there left it. */
export function keptTrees({ progress }: Pick<RunRecord, 'progress'>): KeptTree[] {
  const trees = new Map<string, KeptTree>()
  for (const row of progress) {
    if (row.type !== 'workflow_agent' || !row.worktree) continue
    const { path } = row.worktree
    trees.set(path, { ...row.worktree, agents: [...(trees.get(path)?.agents ?? []), row.label] })
  }
  return [...trees.values()]
}

/** One line about them, and how to see them; undefined when there are none. */
export function keptTreesText(record: Pick<RunRecord, 'progress'>, command: string): string | undefined {
  const names = keptTrees(record).map(({ path }) => safeLine(path.split(/[/\\]/).at(-1) ?? path))
  if (names.length === 0) return undefined
  const more = names.length > NAMED ? `, … and ${names.length - NAMED} more` : ''
  return `${count(names.length, 'worktree')} kept: ${names.slice(0, NAMED).join(', ')}${more}; see ${command}`
}

/** Each with its agents, its branch, its files and its place. */
export function keptTreeLines(record: Pick<RunRecord, 'progress'>): string[] {
  return keptTrees(record).map(tree => {
    const { agents, branch, problem } = tree
    const facts = [branch === undefined ? 'on no branch' : `branch ${branch}`, filesText(tree), problem ?? '']
    const told = facts.filter(fact => fact !== '').map(safeLine)
    return `${safeLine(agents.join(', '))}  ${told.join(' · ')}\n${safeLine(tree.path)}`
  })
}

function filesText({ files, moreFiles = 0 }: WorktreeReport): string {
  const total = files.length + moreFiles
  if (total === 0) return ''
  const more = total > LISTED_FILES ? `, … and ${total - LISTED_FILES} more` : ''
  return `${count(total, 'file')}: ${files.slice(0, LISTED_FILES).join(', ')}${more}`
}
