import { basename, join } from 'node:path'
import { RunNotFoundError } from '@tutti/runtime'
import type { FileSystem } from '../files/file-system.ts'
import {
  foreignIndex,
  isForeignName,
  projectDirectories,
  projectDirectory,
  runPaths,
  transcriptIdOf,
  type RunPaths,
} from '../layout.ts'
import { reachedPlainly } from '../files/reached-plainly.ts'
import { findInSession, isFile } from '../run/find-in-session.ts'
import { withScriptName } from '../run/script-copy.ts'
import type { ForeignProduct } from './foreign-run.ts'

/** Where one run of another product is. */
export interface ForeignPlace {
  product: ForeignProduct
  runId: string
  sessionId: string
  paths: RunPaths
}

/** Where such runs are looked for. */
export interface ForeignSearch {
  fs: FileSystem
  root: string
  cwd: string
  codebuddyRoot: string
}

const PRODUCT_NAMES: Record<ForeignProduct, string> = { 'claude-code': 'Claude Code', codebuddy: 'CodeBuddy' }

/** Runs of other products in the working directory's project. */
export async function foreignRunsOf({
  fs,
  root,
  cwd,
  codebuddyRoot,
}: ForeignSearch): Promise<ForeignPlace[]> {
  const places: ForeignPlace[] = []
  for (const [product, productRoot] of rootsOf({ root, codebuddyRoot })) {
    for (const session of await sessionsOf(fs, projectDirectory(productRoot, cwd))) {
      for (const runId of await runIdsOf(fs, session)) {
        const paths = await foreignPaths(fs, session, runId)
        if (paths) places.push({ product, runId, sessionId: basename(session), paths })
      }
    }
  }
  return places
}

/** A run of another product by its id: in the working directory's project, then in those of its parents. */
export async function findForeign(search: ForeignSearch, runId: string): Promise<ForeignPlace | undefined> {
  const { fs, cwd } = search
  for (const [product, productRoot] of rootsOf(search)) {
    for (const project of projectDirectories(productRoot, cwd)) {
      for (const session of await sessionsOf(fs, project)) {
        const paths = await foreignPaths(fs, session, runId)
        if (paths) return { product, runId, sessionId: basename(session), paths }
      }
    }
  }
  return undefined
}

/** Paths of a run in a session that is not ours; undefined when nothing of one is there. */
export async function foreignPaths(
  fs: FileSystem,
  session: string,
  runId: string,
): Promise<RunPaths | undefined> {
  const paths = runPaths({ sessionDirectory: session, runId, layout: 'claude-code' })
  const { endRecord = '' } = paths
  const hasRecord = (await reachedPlainly(fs, session, endRecord)) && (await isFile(fs, endRecord))
  const there = hasRecord || (await isRunFolder(fs, paths))
  if (!there || (await findInSession(fs, session, runId))) return undefined
  return withScriptName(fs, { paths, runId })
}

/** Why a run of another product cannot be gone on with in place, and what can be done instead. */
export async function notResumable(
  fs: FileSystem,
  { product, runId, paths }: ForeignPlace,
): Promise<RunNotFoundError> {
  const script = (await isFile(fs, paths.script)) ? quoted(paths.script) : '<script.js>'
  return new RunNotFoundError(
    `Run ${runId} belongs to ${PRODUCT_NAMES[product]} (${paths.transcripts}): it can be shown, but not gone on with in ` +
      'place. A new run can take its results over.',
    { hint: `tutti run ${script} --reuse ${quoted(paths.transcripts)}` },
  )
}

/** As a shell takes it for one word. */
function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

/** Names of the run ids a session has in this layout, whoever wrote them. */
export async function runIdsOf(fs: FileSystem, session: string): Promise<string[]> {
  const found = new Set<string>()
  for (const { directory, runIdOf } of foreignIndex(session)) {
    for (const entry of await fs.readdir(directory).catch((): string[] => [])) {
      const runId = runIdOf(entry)
      if (runId) found.add(runId)
    }
  }
  return [...found].sort()
}

function rootsOf(roots: Pick<ForeignSearch, 'root' | 'codebuddyRoot'>): [ForeignProduct, string][] {
  return [
    ['claude-code', roots.root],
    ['codebuddy', roots.codebuddyRoot],
  ]
}

async function sessionsOf(fs: FileSystem, project: string): Promise<string[]> {
  try {
    if (!(await fs.lstat(project)).isDirectory()) return []
    const entries = await fs.readdir(project, { withFileTypes: true })
    const sessions = entries.filter(entry => entry.isDirectory() && isForeignName(entry.name))
    return sessions.map(entry => join(project, entry.name))
  } catch {
    return []
  }
}

async function isRunFolder(fs: FileSystem, paths: RunPaths): Promise<boolean> {
  const { sessionDirectory, transcripts, journal } = paths
  try {
    if (!(await reachedPlainly(fs, sessionDirectory, journal))) return false
    if (await isFile(fs, journal)) return true
    return (await fs.readdir(transcripts)).some(entry => transcriptIdOf(entry) !== undefined)
  } catch {
    return false
  }
}
