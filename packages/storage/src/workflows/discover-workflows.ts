import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { directoriesToRepositoryRoot } from '../files/repository.ts'
import {
  describeWorkflow,
  readWorkflowFile,
  type WorkflowFile,
  type WorkflowOrigin,
} from './saved-workflow.ts'

/** A workflow that comes with the program. */
export interface BundledWorkflow {
  name: string
  source: string
}

export interface WorkflowPlaces {
  cwd: string
  root: string
  bundled?: readonly BundledWorkflow[]
}

/** One place to look into. */
type Shelf = { directory: string; source: WorkflowOrigin } | { bundled: readonly BundledWorkflow[] }

const FILE_PATTERN = /^[^.].*\.m?js$/

/**
 * All saved workflows: `.claude/workflows` of each directory from the working directory to the repository
 * root, then those of the user, then bundled ones. The first of a name is used, later ones are shadowed.
 */
export async function discoverWorkflows(places: WorkflowPlaces): Promise<WorkflowFile[]> {
  const found: WorkflowFile[] = []
  const used = new Map<string, WorkflowFile>()
  for (const shelf of shelvesOf(places)) {
    for (const file of await readShelf(shelf)) {
      const first = file.error === undefined ? used.get(file.name) : undefined
      if (first) found.push({ ...file, shadowedBy: first.path ?? first.source })
      else found.push(file)
      if (file.error === undefined && !first) used.set(file.name, file)
    }
  }
  return found
}

/** Directories of saved workflows, nearest first. */
export function workflowDirectories({
  cwd,
  root,
}: WorkflowPlaces): { directory: string; source: WorkflowOrigin }[] {
  const user = join(resolve(root), 'workflows')
  const project = directoriesToRepositoryRoot(cwd)
    .map(directory => join(directory, '.claude', 'workflows'))
    .filter(directory => directory !== user)
  return [
    ...project.map(directory => ({ directory, source: 'project' as const })),
    { directory: user, source: 'user' },
  ]
}

function shelvesOf(places: WorkflowPlaces): Shelf[] {
  return [...workflowDirectories(places), { bundled: places.bundled ?? [] }]
}

async function readShelf(shelf: Shelf): Promise<WorkflowFile[]> {
  if ('bundled' in shelf) {
    return shelf.bundled.map(({ name, source }) => describeWorkflow(source, 'bundled', name))
  }
  const names = await readdir(shelf.directory).catch((): string[] => [])
  const scripts = names.filter(name => FILE_PATTERN.test(name)).sort()
  return Promise.all(scripts.map(name => readWorkflowFile(join(shelf.directory, name), shelf.source)))
}
