import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Clock } from '@tutti/runtime'
import type { ProcessGroups } from '../process-groups.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Spill } from './spill.ts'
import { ToolProblem } from './tool.ts'

/** Where one agent works, and what it has seen there. */
export interface Workplace {
  /** Nothing outside is read or written. Symbolic links resolved. */
  root: string
  /** Places beside the root that are open as well. Symbolic links resolved. */
  additional?: readonly string[]
  /** Relative paths start here. Symbolic links resolved. */
  cwd: string
  /** Passed to commands, without secrets. */
  env: Record<string, string>
  spill: Spill
  clock: Clock
  signal: AbortSignal
  groups?: ProcessGroups
  /** Confines commands. */
  sandbox?: Sandbox
  /** Files as the agent last saw them; a file changes only when it is known as it is. */
  seen: Map<string, FileState>
  todos: Todo[]
  /** True for files that no listing or search may show. */
  isHidden(path: string): boolean
  /** Something happened. */
  alive(): void
}

export interface FileState {
  mtimeMs: number
  size: number
}

export interface Todo {
  content: string
  status: 'pending' | 'in_progress' | 'completed'
}

/** The real path of a file to read: in the project, or where long outputs were put. */
export async function readablePath(workplace: Workplace, given: string): Promise<string> {
  const path = await realPath(workplace, given)
  const { directory } = workplace.spill
  if (isOpen(workplace, path) || (directory !== undefined && isWithin(directory, path))) return path
  throw outside(workplace, given)
}

/** The real path of a file to write, which need not exist. */
export async function writablePath(workplace: Workplace, given: string): Promise<string> {
  const path = await realPath(workplace, given)
  if (isOpen(workplace, path) && path !== workplace.root) return path
  throw outside(workplace, given)
}

function isOpen({ root, additional = [] }: Workplace, path: string): boolean {
  return [root, ...additional].some(top => isWithin(top, path))
}

export function isWithin(top: string, path: string): boolean {
  const way = relative(top, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

/** How a path is shown to the model. */
export function shownPath({ cwd }: Pick<Workplace, 'cwd'>, path: string): string {
  return isWithin(cwd, path) ? relative(cwd, path) || '.' : path
}

async function realPath({ cwd }: Workplace, given: string): Promise<string> {
  if (given.includes('\0')) throw new ToolProblem('A path cannot contain a null character.')
  return resolveLinks(resolve(cwd, given), given)
}

/** Links are followed as far as the path exists. A link that leads nowhere could lead anywhere later. */
async function resolveLinks(path: string, given: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code !== 'ENOENT') throw new ToolProblem(`${given} cannot be reached: ${code ?? String(error)}`)
  }
  const link = await lstat(path).catch(() => undefined)
  if (link) throw new ToolProblem(`${given} is a symbolic link that leads nowhere.`)
  return join(await resolveLinks(dirname(path), given), basename(path))
}

function outside({ root }: Workplace, given: string): ToolProblem {
  return new ToolProblem(`${given} is outside of the project ${root}; only files of the project can be used.`)
}
