import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** Folders of git outside of the checkout that a commit writes to: those of a worktree. Empty for others. */
export async function gitFoldersOf(root: string): Promise<string[]> {
  const link = await readFile(join(root, '.git'), 'utf8').catch(() => '')
  const named = /^gitdir: (.+)$/m.exec(link)?.[1]
  if (named === undefined) return []
  const own = resolve(root, named.trim())
  const shared = await readFile(join(own, 'commondir'), 'utf8').catch(() => undefined)
  return shared === undefined ? [own] : [own, resolve(own, shared.trim())]
}
