import { basename } from 'node:path'
import type { RunSummary } from '@tutti/runtime'
import { projectDirectory, runPaths, scriptIndex, type RunPaths } from '../layout.ts'
import { runsOf } from './find-run.ts'
import { readRecord } from './read-record.ts'
import { locationsOf } from './run-locations.ts'
import { ownerOf, type StoreContext } from './store-context.ts'

const READS_AT_ONCE = 16

/**
 * The runs of the working directory's project, the one with the latest attempt first. Records that cannot
 * be read are passed over.
 */
export async function listRuns(context: StoreContext): Promise<RunSummary[]> {
  const runs = await runsOf(context.disk.fs, projectDirectory(context.root, context.cwd))
  const summaries: RunSummary[] = []
  for (let at = 0; at < runs.length; at += READS_AT_ONCE) {
    const group = runs.slice(at, at + READS_AT_ONCE)
    const read = await Promise.all(group.map(({ runId, paths }) => summarize(context, runId, paths)))
    summaries.push(...read.filter(summary => summary !== undefined))
  }
  return summaries.sort((a, b) => startOf(b) - startOf(a))
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
  if (record.status !== 'running' && record.status !== 'pending')
    return { record, locations, interrupted: false }
  const owner = await ownerOf(context, paths)
  const heartbeatAt = owner?.heartbeatAt ?? record.heartbeatAt
  const silent = context.clock.now() - heartbeatAt > context.leaseMs
  return { record: { ...record, heartbeatAt }, locations, interrupted: silent || owner?.alive === false }
}

function startOf({ record }: RunSummary): number {
  return record.attemptStartedAt ?? record.startedAt
}
