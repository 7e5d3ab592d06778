import { tryGit } from '../worktree/git.ts'
import { findRepository, headOf } from '../worktree/repository.ts'

/** Whether agents can have worktrees here. */
export interface GitReport {
  usable: boolean
  version?: string
  /** What is missing. */
  note?: string
}

export async function probeGit(
  projectRoot: string,
  env: Record<string, string | undefined>,
): Promise<GitReport> {
  const said = await tryGit(['--version'], { cwd: projectRoot, env })
  if (said.code !== 0) return { usable: false, note: 'git was not found; agents cannot have worktrees' }
  const version = said.stdout.trim().replace(/^git version /, '')
  try {
    await headOf(await findRepository(projectRoot, env))
    return { usable: true, version }
  } catch (error) {
    return { usable: false, version, note: error instanceof Error ? error.message : String(error) }
  }
}
