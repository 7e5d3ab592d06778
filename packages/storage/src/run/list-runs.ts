import { basename } from 'node:path'
import type { RunRecord } from '@tutti/protocol'
import { isTuttiError, type RunSummary } from '@tutti/runtime'
import { projectDirectory, runPaths, scriptIndex, type RunPaths } from '../layout.ts'
import { isEnded } from './end-record.ts'
import { runsOf } from './find-run.ts'
import { readRecord } from './read-record.ts'
import { locationsOf } from './run-locations.ts'
import { ownerOf, type StoreContext } from './store-context.ts'

/** A run that is there but cannot be shown. */
export interface UnreadableRun {
  runId: string
  /** Its record. */
  path: string
  /** What is wrong with it, and what to do. */
  reason: string
  /** When the record was last written, milliseconds since the epoch. */
  modifiedAt: number
}

const READS_AT_ONCE = 16

/**
 * The runs of the working directory's project, the one with the latest attempt first. Records that cannot
 * be read are passed over.
 */
export async function listRuns(context: StoreContext): Promise<RunSummary[]> {
  const summaries = await ofEachRun(context, (runId, paths) => summarize(context, runId, paths))
  return summaries.sort((a, b) => startOf(b) - startOf(a))
}

/** The runs that `listRuns` passes over, the one last written first. */
export async function listUnreadable(context: StoreContext): Promise<UnreadableRun[]> {
  const runs = await ofEachRun(context, (runId, paths) => problemOf(context, runId, paths.record))
  return runs.sort((a, b) => b.modifiedAt - a.modifiedAt)
}

async function ofEachRun<T>(
  context: StoreContext,
  look: (runId: string, paths: RunPaths) => Promise<T | undefined>,
): Promise<T[]> {
  const runs = await runsOf(context.disk.fs, projectDirectory(context.root, context.cwd))
  const found: T[] = []
  for (let at = 0; at < runs.length; at += READS_AT_ONCE) {
    const group = runs.slice(at, at + READS_AT_ONCE)
    const looked = await Promise.all(group.map(({ runId, paths }) => look(runId, paths)))
    found.push(...looked.filter(one => one !== undefined))
  }
  return found
}

async function problemOf(
  { disk: { fs } }: StoreContext,
  runId: string,
  path: string,
): Promise<UnreadableRun | undefined> {
  try {
    await readRecord(fs, path, runId)
    return undefined
  } catch (error) {
    const modifiedAt = (await fs.lstat(path).catch(() => undefined))?.mtimeMs ?? 0
    const reason = isTuttiError(error) ? error.message : `${path} cannot be read: ${(error as Error).message}`
    return { runId, path, reason, modifiedAt }
  }
}

async function summarize(
  context: StoreContext,
  runId: string,
  paths: RunPaths,
): Promise<RunSummary | undefined> {
  const record = await readRecord(context.disk.fs, paths.record, runId).catch(() => undefined)
  if (!record) return undefined
  const { sessionDirectory, layout } = paths
  const scriptName = scriptIndex(sessionDirectory, runId).nameOf(basename(record.scriptPath ?? ''))
  const locations = locationsOf(
    runPaths({ sessionDirectory, runId, layout, ...(scriptName !== undefined && { scriptName }) }),
  )
  if (isEnded(record)) return { record, locations, interrupted: false }
  const owner = await ownerOf(context, paths)
  if (owner === undefined) return { ...(await withoutOwner(context, paths, record)), locations }
  const { heartbeatAt } = owner
  const silent = context.clock.now() - heartbeatAt > context.leaseMs
  return { record: { ...record, heartbeatAt }, locations, interrupted: silent || !owner.alive }
}

/**
 * A run that nobody holds. Its lock is there before its first record and goes after its last one, so the record is
 * read again: the owner may have ended the run, or another one begun an attempt, since it was read.
 */
async function withoutOwner(
  { disk }: StoreContext,
  paths: RunPaths,
  record: RunRecord,
): Promise<Pick<RunSummary, 'record' | 'interrupted'>> {
  const latest = (await readRecord(disk.fs, paths.record, record.runId).catch(() => undefined)) ?? record
  return { record: latest, interrupted: !isEnded(latest) && latest.attempt === record.attempt }
}

function startOf({ record }: RunSummary): number {
  return record.attemptStartedAt ?? record.startedAt
}
