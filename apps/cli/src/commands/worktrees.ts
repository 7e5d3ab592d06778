import {
  diffTree,
  discardTree,
  IsolationError,
  listTrees,
  mergeTree,
  type AgentTree,
  type DiscardResult,
  type MergeResult,
  type Repository,
} from '@tutti/agents/worktree'
import type { WorktreeAction, WorktreeFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { shownTime } from '../render/run-status.ts'
import { tableLines } from '../render/table.ts'
import { safeBlock, safeLine } from '../render/text-width.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'

export interface WorktreesInvocation {
  action: WorktreeAction
  names: string[]
  options: WorktreeFlags
}

interface Context {
  io: Io
  terminal: Terminal
}

/** Lists, compares, merges or removes the worktrees that agents of this project left behind. */
export async function worktreesCommand(invocation: WorktreesInvocation, { io }: Context): Promise<number> {
  const { action, options } = invocation
  const { repository, trees } = await found(io)
  if (action === 'ls') {
    await writeOut(io.stdout, options.json === true ? `${JSON.stringify(trees)}\n` : listText(trees, io))
    return EXIT.completed
  }
  const chosen = choose(invocation, trees)
  switch (action) {
    case 'diff':
      return showDiffs(chosen, { io, repository })
    case 'merge':
      return mergeAll(chosen, { io, repository, options })
    case 'rm':
      return removeAll(chosen, { io, repository, options })
    default:
      return action satisfies never
  }
}

async function found(io: Io): Promise<{ repository: Repository; trees: AgentTree[] }> {
  try {
    return await listTrees(io.cwd, io.env)
  } catch (error) {
    if (error instanceof IsolationError) throw new UsageError(error.message, undefined, 'no-repository')
    throw error
  }
}

function choose({ action, names, options }: WorktreesInvocation, trees: AgentTree[]): AgentTree[] {
  if (options.all === true) return trees
  if (names.length === 0)
    throw new UsageError(
      `tutti worktrees ${action}: name a worktree, or say --all`,
      'tutti worktrees lists them.',
    )
  return names.map(name => {
    const tree = trees.find(one => one.name === name || one.branch === name || one.path === name)
    if (tree === undefined)
      throw new UsageError(
        `there is no worktree "${name}"`,
        'tutti worktrees lists them.',
        'worktree-not-found',
      )
    return tree
  })
}

function listText(trees: AgentTree[], io: Io): string {
  if (trees.length === 0) return 'No agent of this project has left a worktree.\n'
  const rows = trees.map(tree => [
    safeLine(tree.name),
    tree.createdAt === undefined ? '' : shownTime(tree.createdAt),
    tree.inUseBy === undefined ? tree.state : `in use (${tree.inUseBy})`,
    String(tree.files.length),
    safeLine(tree.runId ?? ''),
    safeLine(tree.label ?? ''),
  ])
  const columns = [
    { title: 'NAME' },
    { title: 'MADE' },
    { title: 'STATE' },
    { title: 'FILES', align: 'right' as const },
    { title: 'RUN' },
    { title: 'AGENT' },
  ]
  const width = io.stdout.isTTY === true ? (io.stdout.columns ?? 80) : 160
  return `${tableLines(columns, rows, width).join('\n')}\n`
}

interface Acting {
  io: Io
  repository: Repository
  options: WorktreeFlags
}

async function showDiffs(trees: AgentTree[], { io, repository }: Omit<Acting, 'options'>): Promise<number> {
  for (const tree of trees) {
    const patch = await diffTree(repository, tree)
    await writeOut(io.stdout, io.stdout.isTTY === true ? safeBlock(patch) : patch)
  }
  return EXIT.completed
}

/** One after the other: each is tried on top of those before it. */
async function mergeAll(trees: AgentTree[], { io, repository, options }: Acting): Promise<number> {
  const dryRun = options.dryRun === true
  const results: (MergeResult & { name: string })[] = []
  for (const tree of trees)
    results.push({ name: tree.name, ...(await mergeTree(repository, tree, { dryRun })) })
  if (options.json === true) await writeOut(io.stdout, `${JSON.stringify(results)}\n`)
  else for (const result of results) await writeOut(io.stdout, `${safeLine(mergeLine(result))}\n`)
  return results.every(({ kind }) => kind !== 'conflicts' && kind !== 'refused')
    ? EXIT.completed
    : EXIT.failed
}

function mergeLine(result: MergeResult & { name: string }): string {
  const { name, kind } = result
  if (kind === 'nothing to merge') return `${name}: nothing to merge`
  if (kind === 'refused') return `${name}: not merged: ${result.reason}`
  const files = result.files.join(', ')
  return kind === 'conflicts' ? `${name}: not merged, conflicts in ${files}` : `${name}: ${kind}: ${files}`
}

async function removeAll(trees: AgentTree[], { io, repository, options }: Acting): Promise<number> {
  const results: (DiscardResult & { name: string })[] = []
  for (const tree of trees)
    results.push({
      name: tree.name,
      ...(await discardTree(repository, tree, { force: options.force === true })),
    })
  if (options.json === true) await writeOut(io.stdout, `${JSON.stringify(results)}\n`)
  else for (const result of results) await writeOut(io.stdout, `${safeLine(removeLine(result))}\n`)
  return results.every(({ kind }) => kind === 'removed') ? EXIT.completed : EXIT.failed
}

function removeLine(result: DiscardResult & { name: string }): string {
  const { name } = result
  if (result.kind === 'refused')
    return `${name}: not removed: ${result.reason}; --force removes it all the same`
  return result.keptBranch === undefined
    ? `${name}: removed`
    : `${name}: removed; its work stays on the branch ${result.keptBranch}`
}
