import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { git, tryGit } from './git.ts'
import { hasWork } from './has-work.ts'
import { isAlive } from './is-alive.ts'
import { adminFolder, findRepository, requireOwnGit, worktreesFolder, type Repository } from './repository.ts'
import { changedFiles, noteOf, type TreeNote } from './tree.ts'

/** A tree of an agent, as it is now. */
export interface AgentTree {
  name: string
  path: string
  /** The commit it is at. */
  head: string
  branch?: string
  /** The commit it started from. */
  base: string
  /**
   * `clean`: nothing would be lost with it; `merged`: its commits are part of the checkout; `changed`: they are
   * not; `uncommitted`: it has changes, or ignored files, that are in no commit.
   */
  state: 'clean' | 'merged' | 'changed' | 'uncommitted'
  files: string[]
  /** The run and the agent it was made for, and the process, when that still lives. */
  runId?: string
  label?: string
  createdAt?: number
  inUseBy?: number
}

/** The trees of a project's agents, oldest first. Throws IsolationError where there is no repository. */
export async function listTrees(
  projectRoot: string,
  env: Repository['env'],
): Promise<{ repository: Repository; trees: AgentTree[] }> {
  const repository = await findRepository(projectRoot, env)
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repository.top, env })
  const folder = worktreesFolder(repository)
  const entries = listed
    .split('\0\0')
    .map(fieldsOf)
    .filter(({ worktree = '', prunable }) => dirname(worktree) === folder && prunable === undefined)
  const trees: AgentTree[] = []
  for (const entry of entries) trees.push(await describeTree(repository, entry))
  trees.sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0))
  return { repository, trees }
}

type Fields = Record<string, string | undefined>

function fieldsOf(block: string): Fields {
  const lines = block.split('\0').filter(line => line !== '')
  return Object.fromEntries(lines.map(line => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]))
}

async function describeTree(repository: Repository, fields: Fields): Promise<AgentTree> {
  const { worktree: path = '', HEAD: head = '', branch } = fields
  const name = basename(path)
  const isOwn = await requireOwnGit(repository, path).then(
    () => true,
    () => false,
  )
  // What is in it cannot be told; it is not to be lost.
  if (!isOwn) return { name, path, head, base: head, state: 'uncommitted', files: [] }
  const note = await noteOf(path)
  const base = note?.base ?? (await mergeBase(repository, head))
  const tree = { path, base, projectRoot: path }
  const state = await stateOf(repository, tree, head)
  return {
    name,
    path,
    head,
    ...(branch !== undefined && { branch: branch.replace(/^refs\/heads\//, '') }),
    base,
    state,
    files: state === 'clean' ? [] : await changedFiles(repository, tree),
    ...factsOf(note),
  }
}

async function stateOf(
  repository: Repository,
  tree: { path: string; base: string; projectRoot: string },
  head: string,
): Promise<AgentTree['state']> {
  const { top, env } = repository
  if ((await isUnfilled(tree.path)) || !(await hasWork(tree, env))) return 'clean'
  // Looked at from its own head, only what is in no commit is work.
  if (await hasWork({ ...tree, base: head }, env, { commits: false })) return 'uncommitted'
  const merged = await tryGit(['merge-base', '--is-ancestor', head, 'HEAD'], { cwd: top, env })
  return merged.code === 0 && head !== tree.base ? 'merged' : 'changed'
}

/** Whoever made it was killed before it was filled. */
async function isUnfilled(path: string): Promise<boolean> {
  const inGit = await readdir(await adminFolder(path))
  return !inGit.includes('index') && (await readdir(path)).every(name => name === '.git')
}

async function mergeBase({ top, env }: Repository, head: string): Promise<string> {
  const end = await tryGit(['merge-base', head, 'HEAD'], { cwd: top, env })
  return end.code === 0 ? end.stdout.trim() : head
}

function factsOf(note: TreeNote | undefined): Partial<AgentTree> {
  if (note === undefined) return {}
  const { runId, label, createdAt, pid } = note
  return { runId, label, createdAt, ...(pid !== process.pid && isAlive(pid) && { inUseBy: pid }) }
}
