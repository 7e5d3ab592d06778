import { realpath } from 'node:fs/promises'
import { basename, isAbsolute, relative, resolve, sep } from 'node:path'
import { WorkflowInputError } from '@tutti/runtime'
import type { SavedWorkflows } from '@tutti/storage'
import type { DeskStore } from './desk-options.ts'

/** Where scripts may be started from. */
export interface ScriptPlaces {
  cwd: string
  root: string
  additionalDirectories: readonly string[]
  store: DeskStore
  workflows: Pick<SavedWorkflows, 'list'>
  /** The session may read anywhere. */
  anywhere: boolean
}

const RUN_ID = /wf_[0-9a-f]{8}-[0-9a-f]{3}/

/**
 * The real path of a script file: below the working directory or an additional one, a saved workflow of this project
 * or the user, or the copy of a run. Links are followed first, so none leads out. Throws WorkflowInputError.
 */
export async function findScriptFile(scriptPath: string, places: ScriptPlaces): Promise<string> {
  const asked = resolve(places.cwd, scriptPath)
  const path = await realpath(asked).catch((error: unknown) => {
    throw new WorkflowInputError('option-invalid', `scriptPath: ${asked} ${reasonOf(error)}`, {
      hint: 'Paths are relative to the working directory.',
    })
  })
  if (places.anywhere || (await isAllowed(path, places))) return path
  const real = path === asked ? '' : ` (really ${path})`
  throw new WorkflowInputError(
    'option-invalid',
    `scriptPath: ${asked}${real} lies outside of the working directory ${places.cwd}`,
    { hint: 'Write the script below the working directory, or hand its text over as "script".' },
  )
}

async function isAllowed(path: string, places: ScriptPlaces): Promise<boolean> {
  for (const folder of [places.cwd, ...places.additionalDirectories]) {
    if (isBelow(path, await real(folder))) return true
  }
  return (await isSaved(path, places)) || (await isCopyOfRun(path, places))
}

async function isSaved(path: string, { workflows }: ScriptPlaces): Promise<boolean> {
  for (const saved of await workflows.list()) {
    if (saved.path !== undefined && (await real(saved.path)) === path) return true
  }
  return false
}

async function isCopyOfRun(path: string, { root, store }: ScriptPlaces): Promise<boolean> {
  const runId = RUN_ID.exec(basename(path))?.[0]
  if (runId === undefined || !isBelow(path, await real(root))) return false
  try {
    const locations = await (store.locate?.(runId) ?? store.load(runId).then(run => run.locations))
    return (await real(locations.script)) === path
  } catch {
    return false
  }
}

async function real(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function reasonOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  if (code === 'EACCES') return 'may not be read'
  if (code === 'ELOOP') return 'is a link that leads to itself'
  return `cannot be found: ${(error as Error).message}`
}
