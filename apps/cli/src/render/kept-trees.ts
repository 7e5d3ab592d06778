import type { RunRecord } from '@tutti/protocol'
import { count } from './numbers.ts'
import { safeLine } from './text-width.ts'

const NAMED = 3

/** The worktrees that agents of a run left changes in, and how to see them; undefined when there are none. */
export function keptTreesText(
  { progress }: Pick<RunRecord, 'progress'>,
  command: string,
): string | undefined {
  const paths = progress.flatMap(row =>
    row.type === 'workflow_agent' && row.worktree ? [row.worktree.path] : [],
  )
  const names = [...new Set(paths)].map(path => safeLine(path.split(/[/\\]/).at(-1) ?? path))
  if (names.length === 0) return undefined
  const more = names.length > NAMED ? `, … and ${names.length - NAMED} more` : ''
  return `${count(names.length, 'worktree')} kept: ${names.slice(0, NAMED).join(', ')}${more}; see ${command}`
}
