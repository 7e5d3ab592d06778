import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { isWithin } from './workplace.ts'

const LONGEST = 40_000

/**
 * What the project tells those who work on it: CLAUDE.md, else AGENTS.md, of each directory from the root
 * down to `cwd`, and `.claude/CLAUDE.md`. Files that lie outside of the project are left out.
 */
export async function projectInstructions(root: string, cwd: string): Promise<string> {
  const found: string[] = []
  for (const directory of directoriesBetween(root, cwd)) {
    const own =
      (await instructionsAt(root, join(directory, 'CLAUDE.md'))) ??
      (await instructionsAt(root, join(directory, 'AGENTS.md')))
    if (own !== undefined) found.push(own)
    if (directory !== root) continue
    const hidden = await instructionsAt(root, join(root, '.claude', 'CLAUDE.md'))
    if (hidden !== undefined) found.push(hidden)
  }
  return found.join('\n\n')
}

function directoriesBetween(root: string, cwd: string): string[] {
  const found: string[] = []
  for (let at = cwd; isWithin(root, at); at = dirname(at)) {
    found.unshift(at)
    if (at === root) break
  }
  return found
}

async function instructionsAt(root: string, path: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined || !isWithin(root, real)) return undefined
  if (!(await stat(real)).isFile()) return undefined
  const text = (await readFile(real, 'utf8')).trim()
  if (text === '') return undefined
  const kept = text.length > LONGEST ? `${text.slice(0, LONGEST)}\n[cut after ${LONGEST} characters]` : text
  return `Instructions of the project (${relative(root, path)}):\n\n${kept}`
}
