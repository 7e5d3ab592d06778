import { git } from './git.ts'
import type { AgentTree } from './list-trees.ts'
import { requireOwnGit, type Repository } from './repository.ts'

/** What an agent changed, as a patch from the commit it started at; new files that are in no commit included. */
export async function diffTree(repository: Repository, tree: AgentTree): Promise<string> {
  await requireOwnGit(repository, tree.path)
  const { env } = repository
  const at = { cwd: tree.path, env }
  const patch = await git(['diff', '--no-color', '--no-ext-diff', tree.base], at)
  const others = await git(['ls-files', '--others', '--exclude-standard', '-z'], at)
  const names = others.split('\0').filter(name => name !== '')
  return patch + names.map(name => `New file, not committed: ${name}\n`).join('')
}
