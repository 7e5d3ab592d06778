import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

export type WorkingDirectory = { path: string } | { refused: string; escapes: boolean }

/** Finds `cwd` below `root`, symbolic links followed. */
export async function workingDirectory(root: string, cwd: string | undefined): Promise<WorkingDirectory> {
  const top = await realpath(root)
  if (cwd === undefined || cwd === '') return { path: top }
  const outside = { refused: `cwd "${cwd}" leads out of the project ${top}`, escapes: true }
  if (isAbsolute(cwd) || !isInside(top, join(top, cwd))) return outside
  const path = await realpath(join(top, cwd)).catch(() => undefined)
  if (path === undefined) return { refused: `cwd "${cwd}" does not exist in ${top}`, escapes: false }
  if (!isInside(top, path)) return outside
  if (!(await stat(path)).isDirectory())
    return { refused: `cwd "${cwd}" is not a directory in ${top}`, escapes: false }
  return { path }
}

function isInside(top: string, path: string): boolean {
  const way = relative(top, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}
