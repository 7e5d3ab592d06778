import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** What of git belongs to a folder of a project. */
export interface GitPlaces {
  /** Top of the checkout. */
  checkout: string
  /** What a commit writes to, parents first. */
  writable: string[]
  /** What decides which code git runs. */
  guarded: string[]
}

/** Those of the checkout, or of the worktree, that the folder lies in; also where that begins further up. */
export async function gitPlacesOf(folder: string): Promise<GitPlaces | undefined> {
  const path = join(folder, '.git')
  const there = await stat(path).catch(() => undefined)
  if (there?.isDirectory()) return { checkout: folder, writable: [path], guarded: codeIn(path) }
  if (there) return linkedFrom(path)
  const parent = dirname(folder)
  return parent === folder ? undefined : gitPlacesOf(parent)
}

/** Of a worktree or a submodule. A link that leads to anything else than a git folder opens nothing. */
async function linkedFrom(link: string): Promise<GitPlaces | undefined> {
  const checkout = dirname(link)
  const text = await readFile(link, 'utf8').catch(() => '')
  const named = /^gitdir: (.+)$/m.exec(text)?.[1]
  if (named === undefined) return undefined
  const own = resolve(checkout, named.trim())
  const shared = await textOf(join(own, 'commondir'))
  if (shared === undefined)
    return (await isGitFolder(own))
      ? { checkout, writable: [own], guarded: [link, ...codeIn(own)] }
      : undefined
  const common = resolve(own, shared)
  const back = resolve(own, (await textOf(join(own, 'gitdir'))) ?? '')
  if (!(await isGitFolder(common)) || (await realpath(back).catch(() => '')) !== link) return undefined
  const ways = ['commondir', 'gitdir', 'config.worktree'].map(name => join(own, name))
  return { checkout, writable: [common, own], guarded: [link, ...ways, ...codeIn(common)] }
}

function codeIn(git: string): string[] {
  return ['hooks', 'config', 'config.worktree'].map(name => join(git, name))
}

async function isGitFolder(path: string): Promise<boolean> {
  const parts = await Promise.all(
    ['HEAD', 'objects'].map(name => stat(join(path, name)).catch(() => undefined)),
  )
  return parts.every(part => part !== undefined)
}

async function textOf(path: string): Promise<string | undefined> {
  return (await readFile(path, 'utf8').catch(() => undefined))?.trim()
}
