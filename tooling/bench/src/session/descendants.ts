import { readdirSync, readFileSync } from 'node:fs'

/** The processes below one, by pid; what has been given to another parent is not found any more. */
export function descendants(of: number): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const parent = parentOf(name)
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const found = new Set([of])
  for (let before = 0; before !== found.size;) {
    before = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  found.delete(of)
  return [...found]
}

/** The name of its program; undefined when it has ended. */
export function programOf(pid: number): string | undefined {
  return /\((.*)\)/s.exec(statusOf(String(pid)) ?? '')?.[1]
}

export function isAlive(pid: number): boolean {
  return stateOf(String(pid))?.startsWith('Z') === false
}

function parentOf(name: string): number | undefined {
  const parent = Number(stateOf(name)?.split(' ')[1])
  return Number.isInteger(parent) ? parent : undefined
}

/** `state ppid …`: what follows the name of the program, which may hold anything. */
function stateOf(name: string): string | undefined {
  const text = statusOf(name)
  return text?.slice(text.lastIndexOf(')') + 2)
}

function statusOf(name: string): string | undefined {
  if (!/^\d+$/.test(name)) return undefined
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    return undefined
  }
}
