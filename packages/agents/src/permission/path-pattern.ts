import { homedir } from 'node:os'
import { isAbsolute, join, relative, sep } from 'node:path'

/**
 * Matches absolute paths against a pattern of a rule: `//abs`, `~/home`, `/from/the/project`, `also/from/it`,
 * and a name without a slash at any depth. What matches a directory matches all that is in it.
 */
export function pathMatcher(pattern: string, root: string): (path: string) => boolean {
  const { base, rest } = anchored(pattern, root)
  const parts = segments(rest)
  if (parts.at(-1) === '**' && parts.length > 1) parts.pop()
  return path => {
    const way = relative(base, path)
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return false
    const names = segments(way)
    for (let length = names.length; length >= 0; length--) {
      if (matchSegments(parts, names.slice(0, length))) return true
    }
    return false
  }
}

function anchored(pattern: string, root: string): { base: string; rest: string } {
  if (pattern.startsWith('//')) return { base: '/', rest: pattern.slice(2) }
  if (pattern.startsWith('~/')) return { base: homedir(), rest: pattern.slice(2) }
  if (pattern.startsWith('/') || pattern.startsWith('./'))
    return { base: root, rest: pattern.slice(pattern.indexOf('/') + 1) }
  const anywhere = !pattern.replace(/\/+$/, '').includes('/')
  return { base: root, rest: anywhere ? join('**', pattern) : pattern }
}

function segments(path: string): string[] {
  return path.split(/[/\\]/).filter(part => part !== '' && part !== '.')
}

/** `**` stands for any number of directories. Takes at most the product of both lengths. */
function matchSegments(pattern: string[], names: string[]): boolean {
  let reached = new Set([0])
  for (const part of pattern) {
    const next = new Set<number>()
    for (const at of reached) {
      if (part === '**') for (let i = at; i <= names.length; i++) next.add(i)
      else if (at < names.length && matchName(part, names[at] ?? '')) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(names.length)
}

/** `*` stands for any text, `?` for one character. */
function matchName(pattern: string, name: string): boolean {
  let p = 0
  let star = -1
  let retry = 0
  for (let n = 0; n < name.length;) {
    if (pattern[p] === '*') {
      star = p++
      retry = n
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++
      n++
    } else if (star >= 0) {
      p = star + 1
      n = ++retry
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
