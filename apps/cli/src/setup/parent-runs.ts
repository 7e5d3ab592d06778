import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { openStore } from '@tutti/storage'
import { count } from '../render/numbers.ts'
import type { Project } from './project.ts'

/**
 * Runs belong to the folder they were started in: says which folder above, up to the repository's root, has some.
 * Undefined when none has.
 */
export async function parentRunsHint({
  cwd,
  root,
}: Pick<Project, 'cwd' | 'root'>): Promise<string | undefined> {
  for (const folder of parentsInRepository(cwd)) {
    const runs = await openStore({ cwd: folder, root }).list()
    if (runs.length === 0) continue
    const way = relative(cwd, folder)
    return `${folder} has ${count(runs.length, 'run')}: cd ${way} (a run is also found from here, by its id).`
  }
  return undefined
}

function parentsInRepository(cwd: string): string[] {
  const folders: string[] = []
  for (let path = cwd; ; path = dirname(path)) {
    if (path !== cwd) folders.push(path)
    if (existsSync(join(path, '.git'))) return folders
    if (dirname(path) === path) return []
  }
}
