import type { RunRecord } from '@tutti/protocol'
import type { StoredRun } from '@tutti/runtime'
import { readText } from '../files/read-text.ts'
import { loadJournal } from '../journal/journal-file.ts'
import type { JournalContent } from '../journal/read-journal.ts'
import type { RunPaths } from '../layout.ts'
import { findRun } from './find-run.ts'
import { incomplete } from './incomplete.ts'
import { readRecord } from './read-record.ts'
import { locationsOf } from './run-locations.ts'
import { withScriptName } from './script-copy.ts'
import { ownerOf, searchOf, type StoreContext } from './store-context.ts'

/** Reads a run without taking its lease. */
export async function loadRun(context: StoreContext, runId: string): Promise<StoredRun> {
  const { fs } = context.disk
  const paths = await findRun(searchOf(context), runId)
  const { record, script, paths: complete } = await readRecordAndScript(context, runId, paths)
  const content = await loadJournal(fs, paths.journal)
  if (!content) throw incomplete(runId, paths, 'its journal')
  const owner = await ownerOf(context, paths)
  const heartbeatAt = Math.max(record.heartbeatAt, owner?.heartbeatAt ?? 0)
  return storedRun({ record: { ...record, heartbeatAt }, script, paths: complete, content })
}

/** The small files of a run; `paths` then also names the script of layouts that put the name into it. */
export async function readRecordAndScript(
  { disk }: StoreContext,
  runId: string,
  found: RunPaths,
): Promise<{ record: RunRecord; script: string | undefined; paths: RunPaths }> {
  const record = await readRecord(disk.fs, found.record, runId)
  if (!record) throw incomplete(runId, found, 'its record')
  const paths = await withScriptName(disk.fs, { paths: found, runId, name: record.workflowName })
  return { record, script: await readText(disk.fs, paths.script), paths }
}

export function storedRun(parts: {
  record: RunRecord
  script: string | undefined
  paths: RunPaths
  content: JournalContent
}): StoredRun {
  const { record, script, paths, content } = parts
  return {
    record,
    script,
    journal: content.lines,
    damaged: content.damaged,
    torn: content.tornBytes > 0,
    locations: locationsOf(paths),
  }
}
