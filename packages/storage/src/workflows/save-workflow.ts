import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkScript, scriptInvalid, WorkflowInputError } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import { makeDirectory, makeRoot } from '../files/make-directory.ts'
import { directoriesToRepositoryRoot } from '../files/repository.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { workflowDirectories, type WorkflowPlaces } from './discover-workflows.ts'

export interface SaveRequest {
  name: string
  source: string
  where: 'project' | 'user'
}

/**
 * Saves a script as `<name>.js`, over an older one of that name; resolves to its path. Throws
 * WorkflowInputError for a script that would not run or has another name, JournalError for a symbolic link
 * or a failed write.
 */
export async function saveWorkflow(
  disk: Disk,
  places: WorkflowPlaces,
  request: SaveRequest,
): Promise<string> {
  const check = checkScript(request.source)
  if (!check.ok) throw scriptInvalid(check.findings, `${request.name}.js`)
  if (check.meta.name !== request.name) {
    throw new WorkflowInputError(
      'option-invalid',
      `The script calls itself "${check.meta.name}", not "${request.name}". Save it under its own name, or change meta.name.`,
    )
  }
  const { base, directory } = target(places, request.where)
  await makeRoot(disk, base)
  await makeDirectory(disk, base, directory)
  const path = join(directory, `${request.name}.js`)
  await writeAtomically(disk, path, request.source)
  return path
}

/** The nearest project directory that has workflows, else the repository root; `base` is taken as it is. */
function target(places: WorkflowPlaces, where: 'project' | 'user'): { base: string; directory: string } {
  const directories = workflowDirectories(places)
  if (where === 'user') return { base: places.root, directory: join(places.root, 'workflows') }
  const ours = directories.filter(({ source }) => source === 'project').map(({ directory }) => directory)
  const root = directoriesToRepositoryRoot(places.cwd).at(-1) ?? places.cwd
  const directory = ours.find(existsSync) ?? join(root, '.claude', 'workflows')
  return { base: dirname(dirname(directory)), directory }
}
