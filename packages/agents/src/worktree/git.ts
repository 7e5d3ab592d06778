import { execFile } from 'node:child_process'

type Environment = Record<string, string | undefined>

export interface GitOptions {
  cwd: string
  env: Environment
  signal?: AbortSignal
  /** Runs the hooks of the repository. */
  hooks?: boolean
}

/** How a git command ended. */
export interface GitEnd {
  /** 0: well. Undefined: it could not be started, or was ended by a signal. */
  code: number | undefined
  stdout: string
  stderr: string
}

const OUTPUT_BYTES = 64 * 1024 * 1024

/** No hooks, no clean-up in the background, no signing, no questions: settings of people must not slow agents. */
const CONFIG = ['core.fsmonitor=false', 'gc.auto=0', 'maintenance.auto=false', 'commit.gpgSign=false']

/** Variables with which git looks at another repository than the one it is run in. */
const REPOSITORY_VARIABLES =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|CEILING_DIRECTORIES)$/

/** A copy in which git finds the repository by the folder it is run in. */
export function withoutRepository<T extends Environment>(env: T): T {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !REPOSITORY_VARIABLES.test(name))) as T
}

/** Runs git to its end. Never rejects. */
export function tryGit(args: string[], { cwd, env, signal, hooks }: GitOptions): Promise<GitEnd> {
  const config = hooks === true ? [] : [...CONFIG, 'core.hooksPath=/dev/null']
  const full = [...config.flatMap(entry => ['-c', entry]), ...args]
  const quiet = { GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' }
  return new Promise(resolve => {
    execFile(
      'git',
      full,
      {
        cwd,
        env: { ...withoutRepository(env), ...quiet },
        maxBuffer: OUTPUT_BYTES,
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined
        resolve({ code, stdout, stderr: stderr.trim() === '' && error ? error.message : stderr })
      },
    )
  })
}

/** The output of a git command that ended well. Throws GitError otherwise. */
export async function git(args: string[], options: GitOptions): Promise<string> {
  const end = await tryGit(args, options)
  if (end.code !== 0) throw new GitError(args, end)
  return end.stdout
}

/** A git command that failed, with what it said. */
export class GitError extends Error {
  constructor(args: string[], { stderr }: GitEnd) {
    super(`git ${args[0] ?? ''} failed: ${stderr.trim().replaceAll(/\s+/g, ' ').slice(0, 500)}`)
    this.name = 'GitError'
  }
}
