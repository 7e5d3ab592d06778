import { basename, dirname, join } from 'node:path'
import type { RunRecord } from '@tutti/protocol'
import { JournalError } from '@tutti/runtime'
import type { FileSystem } from '../files/file-system.ts'
import { leftovers, lockLeftovers, projectDirectory, type RunPaths } from '../layout.ts'
import { runsOf } from '../run/find-run.ts'
import { readRecord } from '../run/read-record.ts'
import { withScriptName } from '../run/script-copy.ts'
import { ownerOf, takeLease, type StoreContext } from '../run/store-context.ts'
import { pruneSessions, type PrunedSession } from './prune-sessions.ts'
import { entriesBelow, removeEntry, type FoundEntry } from './remove-tree.ts'

export interface PruneOptions {
  /** Runs that ended longer ago than this go. */
  olderThanMs: number
  /** Only says what would go. */
  dryRun?: boolean
}

export interface PrunedRun {
  runId: string
  workflowName: string
  status: RunRecord['status']
  /** Milliseconds since the epoch. */
  endedAt: number
  files: number
  bytes: number
}

export interface PruneReport {
  dryRun: boolean
  /** Removed, or to be removed; the oldest first. */
  runs: PrunedRun[]
  /** Transcripts of sessions that nobody has gone on with for as long, and that no run is left of; the oldest first. */
  sessions: PrunedSession[]
  /** Of all that. */
  bytes: number
  /** Old enough and ended, but still there. */
  kept: { runId: string; why: string }[]
}

const ENDED: ReadonlySet<RunRecord['status']> = new Set(['completed', 'failed', 'killed'])

/**
 * Removes the runs of the working directory's project that ended long ago, with all of their files. A paused or
 * interrupted run can go on, and a run with an owner is at work: both stay. Runs of other products are not
 * touched.
 */
export async function pruneRuns(context: StoreContext, options: PruneOptions): Promise<PruneReport> {
  const { fs } = context.disk
  const before = context.clock.now() - options.olderThanMs
  const report: PruneReport = { dryRun: options.dryRun === true, runs: [], sessions: [], bytes: 0, kept: [] }
  for (const { runId, paths } of await runsOf(fs, projectDirectory(context.root, context.cwd))) {
    const record = await readRecord(fs, paths.record, runId).catch(() => undefined)
    if (!record || !isOld(record, before)) continue
    try {
      const files = await pruneOne(context, { runId, paths, before, dryRun: report.dryRun })
      if (files) report.runs.push(pruned(record, files))
    } catch (error) {
      report.kept.push({ runId, why: error instanceof Error ? error.message : String(error) })
    }
  }
  report.runs.sort((a, b) => a.endedAt - b.endedAt)
  report.sessions = await pruneSessions({
    ...context,
    before,
    dryRun: report.dryRun,
    needed: await needed(context, report),
  })
  report.bytes = [...report.runs, ...report.sessions].reduce((sum, { bytes }) => sum + bytes, 0)
  return report
}

/** Sessions that have runs when all is done. */
async function needed({ disk, root, cwd }: StoreContext, { runs }: PruneReport): Promise<Set<string>> {
  const gone = new Set(runs.map(({ runId }) => runId))
  const left = (await runsOf(disk.fs, projectDirectory(root, cwd))).filter(({ runId }) => !gone.has(runId))
  return new Set(left.map(({ paths }) => basename(paths.sessionDirectory)))
}

interface PruneJob {
  runId: string
  paths: RunPaths
  before: number
  dryRun: boolean
}

/** What was removed; undefined when the run has come to life meanwhile. Throws TuttiError. */
async function pruneOne(context: StoreContext, job: PruneJob): Promise<FoundEntry[] | undefined> {
  const { fs } = context.disk
  const { runId, before } = job
  const paths = await withScriptName(fs, job)
  if (job.dryRun) {
    if ((await ownerOf(context, paths))?.alive) return undefined
    return filesOf(fs, paths)
  }
  const { lease } = await takeLease(context, runId, paths)
  let files: FoundEntry[]
  try {
    // Under the lease nobody else changes it any more.
    const record = await readRecord(fs, paths.record, runId)
    if (!record || !isOld(record, before)) return undefined
    files = await filesOf(fs, paths)
    for (const entry of files.filter(({ path }) => !isLock(path, paths))) await remove(fs, entry, paths)
  } finally {
    await lease.release()
  }
  await removeFolders(fs, paths)
  return files.filter(({ path }) => path !== paths.lock)
}

/** All that belongs to a run. The record is the last: as long as it is there, a new try finds the rest. */
async function filesOf(fs: FileSystem, paths: RunPaths): Promise<FoundEntry[]> {
  const { transcripts, journal, output, script, endRecord, record, lock } = paths
  const found: FoundEntry[] = []
  for (const path of [
    transcripts,
    journal,
    output,
    script,
    ...(endRecord === undefined ? [] : [endRecord]),
  ]) {
    found.push(...(await entriesBelow(fs, path)))
  }
  for (const { directory, isLeftover } of [...leftovers(paths), lockLeftovers(lock)]) {
    const names = (await fs.readdir(directory).catch((): string[] => [])).filter(isLeftover)
    for (const name of names) found.push(...(await entriesBelow(fs, join(directory, name))))
  }
  found.push(...(await entriesBelow(fs, record)))
  const last = (path: string): number => (path === record ? 1 : path === transcripts ? 2 : 0)
  const byPath = new Map(found.map(entry => [entry.path, entry]))
  return [...byPath.values()].toSorted((a, b) => last(a.path) - last(b.path))
}

/** The lock, and what processes that try for it use, is left to its holder. */
function isLock(path: string, { lock, transcripts }: RunPaths): boolean {
  return path === lock || path === transcripts
}

async function remove(fs: FileSystem, entry: FoundEntry, paths: RunPaths): Promise<void> {
  try {
    await removeEntry(fs, entry)
  } catch (error) {
    throw new JournalError(
      'journal-write-failed',
      `Cannot remove ${entry.path}: ${(error as Error).message}. What is left of the run is in ${paths.record}.`,
      { hint: 'Check who owns the folder, then prune again.', cause: error },
    )
  }
}

/** The folder of the run, and those above it that are empty now. */
async function removeFolders(
  fs: FileSystem,
  { transcripts, script, endRecord, sessionDirectory }: RunPaths,
): Promise<void> {
  const folders = [transcripts, dirname(transcripts), dirname(dirname(transcripts)), dirname(script)]
  if (endRecord !== undefined) folders.push(dirname(endRecord))
  for (const folder of [...folders, sessionDirectory]) await fs.rmdir(folder).catch(() => {})
}

function isOld(record: RunRecord, before: number): boolean {
  return ENDED.has(record.status) && endOf(record) < before
}

function endOf({ endedAt, attemptStartedAt, startedAt }: RunRecord): number {
  return endedAt ?? attemptStartedAt ?? startedAt
}

function pruned(record: RunRecord, files: FoundEntry[]): PrunedRun {
  const plain = files.filter(entry => !entry.isDirectory)
  return {
    runId: record.runId,
    workflowName: record.workflowName,
    status: record.status,
    endedAt: endOf(record),
    files: plain.length,
    bytes: plain.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
