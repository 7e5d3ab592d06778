import { randomUUID } from 'node:crypto'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorktreeReport } from '@tutti/protocol'
import { git, tryGit } from './git.ts'
import { hasWork } from './has-work.ts'
import { withLock } from './repository-lock.ts'
import {
  adminFolder,
  headOf,
  IsolationError,
  lockPath,
  makeWorktreesFolder,
  requireOwnGit,
  type Repository,
} from './repository.ts'

/** A checkout of its own for one agent. */
export interface Tree {
  path: string
  /** Stands in for the project's root. */
  projectRoot: string
  /** The commit it started from. */
  base: string
}

/** Whom a tree is for; kept in git's folder for it. */
export interface TreeOwner {
  runId: string
  label: string
  transcriptId: string
}

/** What is written down about a tree. */
export interface TreeNote extends TreeOwner {
  base: string
  createdAt: number
  /** Of the program that made it. */
  pid: number
}

/** Name of the note. */
export const NOTE = 'tutti.json'
const ADD_TRIES = 3
const CHECKOUTS_AT_ONCE = 2
const LISTED_FILES = 100
const UNCOMMITTED = 'in the middle of a merge: nothing was committed'
const IDENTITY = ['user.name=Tutti', 'user.email=tutti@localhost']

let checkouts = 0
const waiting: (() => void)[] = []

/**
 * Makes a tree from the commit the project is at. Trees are added one after the other over all processes; at
 * most two of this process are filled at a time. Throws IsolationError, GitError, or the signal's reason.
 */
export async function makeTree(repository: Repository, owner: TreeOwner, signal: AbortSignal): Promise<Tree> {
  const { env, below } = repository
  const base = await headOf(repository)
  const path = await addTree(repository, owner, base)
  const tree = { path, projectRoot: join(path, below), base }
  try {
    await oneOfFew(() => git(['reset', '--hard', '--quiet', base], { cwd: path, env, signal }), signal)
    const isThere = await stat(tree.projectRoot).catch(() => undefined)
    if (!isThere?.isDirectory())
      throw new IsolationError(`the folder ${below} is not part of the commit ${base.slice(0, 12)}`)
    return tree
  } catch (error) {
    await removeTree(repository, path)
    throw error
  }
}

async function addTree(repository: Repository, owner: TreeOwner, base: string): Promise<string> {
  const { top, env } = repository
  const { runId, label, transcriptId } = owner
  return withLock(lockPath(repository), async () => {
    const folder = await makeWorktreesFolder(repository)
    for (let tried = 1; ; tried++) {
      const path = join(folder, `${folderName(owner)}-${randomUUID().slice(0, 6)}`)
      const end = await tryGit(['worktree', 'add', '--no-checkout', '--detach', path, base], {
        cwd: top,
        env,
      })
      if (end.code === 0) {
        const note: TreeNote = { runId, label, transcriptId, base, createdAt: Date.now(), pid: process.pid }
        await writeFile(join(await adminFolder(path), NOTE), JSON.stringify(note), { mode: 0o600 })
        return path
      }
      if (tried === ADD_TRIES) throw new IsolationError(`no worktree could be added: ${end.stderr.trim()}`)
    }
  })
}

/** Readable and safe as a name of a folder and of a branch. */
function folderName({ runId, label }: TreeOwner): string {
  const words = `${runId.replace(/^wf_/, '').slice(0, 8)}-${label}`
  const safe = words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  return safe.slice(0, 48).replaceAll(/^-+|-+$/g, '') || 'agent'
}

/**
 * Ends the work in a tree: without any it is removed; with some it is kept, committed to a branch where that is
 * possible, and reported. Throws IsolationError or GitError, and leaves it as it is, when it cannot be looked at.
 */
export async function finishTree(repository: Repository, tree: Tree): Promise<WorktreeReport | undefined> {
  const { path, base } = tree
  await requireOwnGit(repository, path)
  if (!(await hasWork(tree, repository.env))) {
    await removeTree(repository, path)
    return undefined
  }
  const branch = await keepOnBranch(repository, tree)
  const files = await changedFiles(repository, tree)
  const more = files.length - LISTED_FILES
  return {
    path,
    base,
    ...(branch === undefined ? { problem: UNCOMMITTED } : { branch }),
    files: files.slice(0, LISTED_FILES),
    ...(more > 0 && { moreFiles: more }),
  }
}

/** The branch that holds the work. Undefined when the tree is in the middle of a merge or the like. */
async function keepOnBranch({ env }: Repository, { path, base }: Tree): Promise<string | undefined> {
  const at = { cwd: path, env }
  const unmerged = await git(['ls-files', '--unmerged'], at)
  if (unmerged !== '') return undefined
  const current = await tryGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], at)
  let branch = current.code === 0 ? current.stdout.trim() : undefined
  if (branch === undefined) {
    branch = `tutti/${path.split(/[/\\]/).at(-1)}`
    await git(['switch', '--quiet', '-c', branch], at)
  }
  await git(['add', '--all'], at)
  const staged = await tryGit(['diff', '--cached', '--quiet'], at)
  if (staged.code !== 0) {
    const known = (await tryGit(['config', 'user.email'], at)).code === 0
    const identity = known ? [] : IDENTITY.flatMap(entry => ['-c', entry])
    const message = `Work of an agent, from ${base.slice(0, 12)}`
    await git([...identity, 'commit', '--quiet', '--no-verify', '-m', message], at)
  }
  return branch
}

/** As paths from the top of the tree. */
export async function changedFiles({ env }: Repository, { path, base }: Tree): Promise<string[]> {
  const at = { cwd: path, env }
  const [committed, others] = await Promise.all([
    git(['diff', '--name-only', '-z', base], at),
    git(['ls-files', '--others', '--exclude-standard', '-z'], at),
  ])
  return [...new Set(`${committed}${others}`.split('\0'))].filter(name => name !== '').toSorted()
}

/** Removes a tree and what git knows of it. Its branch, if any, stays. */
export async function removeTree(repository: Repository, path: string): Promise<void> {
  const { top, env } = repository
  await rm(path, { recursive: true, force: true, maxRetries: 3 })
  // Twice: git locks a tree while it makes it, and whoever was killed then has left it locked.
  const args = ['worktree', 'remove', '--force', '--force', path]
  await withLock(lockPath(repository), () => git(args, { cwd: top, env }))
}

/** Undefined for trees that are not ours. */
export async function noteOf(tree: string): Promise<TreeNote | undefined> {
  try {
    return JSON.parse(await readFile(join(await adminFolder(tree), NOTE), 'utf8')) as TreeNote
  } catch {
    return undefined
  }
}

async function oneOfFew<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  if (checkouts >= CHECKOUTS_AT_ONCE) await new Promise<void>(resolve => waiting.push(resolve))
  else checkouts++
  try {
    signal.throwIfAborted()
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else checkouts--
  }
}
