import { join } from 'node:path'
import { RunNotFoundError } from '@tutti/runtime'
import type { FileSystem } from '../files/file-system.ts'
import {
  isRunId,
  isSessionId,
  LAYOUTS,
  projectDirectories,
  recordIndex,
  runPaths,
  type RunPaths,
} from '../layout.ts'
import { findForeign, notResumable } from '../foreign/find-foreign.ts'
import { findInSession } from './find-in-session.ts'

/** Where runs are looked for. */
export interface RunSearch {
  fs: FileSystem
  root: string
  cwd: string
  codebuddyRoot: string
}

const MAX_PLACES_TOLD = 12
const LOOKUPS_AT_ONCE = 32

/** Finds a run by its id alone. Throws RunNotFoundError with the places searched; makes nothing. */
export async function findRun(search: RunSearch, runId: string): Promise<RunPaths> {
  if (!isRunId(runId)) {
    throw new RunNotFoundError(
      `${JSON.stringify(runId.slice(0, 80))} is no run id: one looks like wf_0123abcd-4ef.`,
      { hint: 'tutti ls shows the runs of this project.' },
    )
  }
  const searched: string[] = []
  const { fs } = search
  for (const project of projectDirectories(search.root, search.cwd)) {
    const sessions = await sessionsOf(fs, project)
    searched.push(sessions.length > 0 ? `${project} (${sessions.length} sessions)` : project)
    const found = (await inGroups(sessions, session => findInSession(fs, session, runId))).find(Boolean)
    if (found) return found
  }
  const foreign = await findForeign(search, runId)
  throw foreign ? await notResumable(fs, foreign) : notFound(runId, searched)
}

/** Every run of a project: id and paths. Links and foreign names are passed over. */
export async function runsOf(fs: FileSystem, project: string): Promise<{ runId: string; paths: RunPaths }[]> {
  const sessions = await sessionsOf(fs, project)
  return (await inGroups(sessions, session => runsOfSession(fs, session))).flat()
}

async function runsOfSession(fs: FileSystem, session: string): Promise<{ runId: string; paths: RunPaths }[]> {
  const runs: { runId: string; paths: RunPaths }[] = []
  for (const layout of LAYOUTS) {
    const { directory, runIdOf } = recordIndex(session, layout)
    for (const entry of await fs.readdir(directory).catch((): string[] => [])) {
      const runId = runIdOf(entry)
      if (runId) runs.push({ runId, paths: runPaths({ sessionDirectory: session, runId, layout }) })
    }
  }
  return runs
}

/** Session directories of a project that are real directories. */
async function sessionsOf(fs: FileSystem, project: string): Promise<string[]> {
  try {
    if (!(await fs.lstat(project)).isDirectory()) return []
    const entries = await fs.readdir(project, { withFileTypes: true })
    return entries
      .filter(entry => entry.isDirectory() && isSessionId(entry.name))
      .map(entry => join(project, entry.name))
  } catch {
    return []
  }
}

async function inGroups<T, R>(items: T[], look: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += LOOKUPS_AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + LOOKUPS_AT_ONCE).map(look))))
  }
  return results
}

function notFound(runId: string, searched: string[]): RunNotFoundError {
  const told = searched.slice(0, MAX_PLACES_TOLD).map(place => `  ${place}`)
  const more = searched.length - told.length
  if (more > 0) told.push(`  … and ${more} more`)
  return new RunNotFoundError(
    `There is no run ${runId} for this working directory. Looked for it in every session of:\n${told.join('\n')}`,
    { hint: 'Change to the folder it was started in, or see: tutti ls' },
  )
}
