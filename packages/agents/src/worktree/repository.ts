import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { tryGit } from './git.ts'

type Environment = Record<string, string | undefined>

/** The repository a project lies in. Paths are real ones. */
export interface Repository {
  /** Top of the checkout the project is in. */
  top: string
  /** The project's root as seen from the top; empty for the top itself. */
  below: string
  /** What all checkouts share. */
  commonDir: string
  env: Environment
}

/** Why no tree can be made, for people. */
export class IsolationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'IsolationError'
  }
}

const WORKTREES = join('.claude', 'worktrees')

/** Throws IsolationError where there is no repository, or none with a checkout. */
export async function findRepository(projectRoot: string, env: Environment): Promise<Repository> {
  const end = await tryGit(['rev-parse', '--show-toplevel', '--git-common-dir'], { cwd: projectRoot, env })
  if (end.code === undefined) throw new IsolationError(`git cannot be run: ${end.stderr.trim()}`)
  const [top, common] = end.stdout.trim().split('\n')
  if (end.code !== 0 || !top || !common) {
    const said = end.stderr.includes('not a git repository') ? '' : ` (${end.stderr.trim()})`
    throw new IsolationError(
      `${projectRoot} is not in a git repository with a checkout${said}; isolation 'worktree' needs one: git init, and a first commit`,
    )
  }
  const root = await realpath(projectRoot)
  const realTop = await realpath(top)
  return {
    top: realTop,
    below: relative(realTop, root),
    commonDir: await realpath(resolve(root, common)),
    env,
  }
}

/** The commit the checkout is at. Throws IsolationError before the first commit. */
export async function headOf({ top, env }: Repository): Promise<string> {
  const end = await tryGit(['rev-parse', '--verify', 'HEAD^{commit}'], { cwd: top, env })
  if (end.code !== 0) throw new IsolationError(`the repository ${top} has no commit yet; make a first one`)
  return end.stdout.trim()
}

/** Every git command that changes the list of trees is run under this lock. */
export function lockPath({ commonDir }: Repository): string {
  return join(commonDir, 'tutti-worktrees.lock')
}

/** The folder of the trees: it ignores itself, so the checkout around it looks as if it were not there. */
export function worktreesFolder({ top }: Repository): string {
  return join(top, WORKTREES)
}

/** Makes the folder. Throws IsolationError when links lead out of the checkout. */
export async function makeWorktreesFolder(repository: Repository): Promise<string> {
  const folder = worktreesFolder(repository)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if ((await realpath(folder)) !== folder)
    throw new IsolationError(`${folder} is reached through a symbolic link; remove the link`)
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx', mode: 0o600 }).catch(ignoreExisting)
  return folder
}

/** Git's own folder for one tree, as its link tells. */
export async function adminFolder(tree: string): Promise<string> {
  const link = await readFile(join(tree, '.git'), 'utf8')
  const named = /^gitdir: (.+)$/m.exec(link)?.[1]
  if (named === undefined) throw new IsolationError(`${tree} is no worktree`)
  return resolve(tree, named.trim())
}

/**
 * Throws IsolationError for a tree whose `.git` was removed or replaced: git commands there would be about the
 * checkout around it, or another repository.
 */
export async function requireOwnGit({ commonDir, env }: Repository, tree: string): Promise<void> {
  const end = await tryGit(['rev-parse', '--show-toplevel', '--absolute-git-dir'], { cwd: tree, env })
  const [top, admin = ''] = end.stdout.trim().split('\n')
  if (end.code === 0 && top === tree && dirname(admin) === join(commonDir, 'worktrees')) return
  throw new IsolationError(`the .git of the worktree ${tree} was removed or replaced; nothing was committed`)
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
}
