import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { ScriptInput } from '@tutti/runtime'
import type { SavedWorkflows } from '@tutti/storage'
import { UsageError } from '../usage-error.ts'

/** A script by its file, or a saved workflow by its name. Throws UsageError, WorkflowNotFoundError. */
export async function findScript(
  what: string,
  { cwd, workflows }: { cwd: string; workflows: SavedWorkflows },
): Promise<ScriptInput> {
  if (looksLikePath(what) || (await isFile(resolve(cwd, what)))) return readScript(what, cwd)
  const { source } = await workflows.resolve({ name: what }, undefined)
  return { source }
}

/** A script by its file. */
export async function readScript(file: string, cwd: string): Promise<ScriptInput> {
  const path = resolve(cwd, file)
  try {
    return { source: await readFile(path, 'utf8'), path }
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''] ?? (error as Error).message
    throw new UsageError(
      `cannot read the script ${path}: ${reason}`,
      'Give the path of a .js file, or the name of a saved workflow (tutti ls --workflows).',
    )
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
}

function looksLikePath(what: string): boolean {
  return /[/\\]/.test(what) || /\.[cm]?[jt]s$/.test(what)
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  )
}
