import { isRunId } from '../layout.ts'
import { findForeign, foreignRunsOf, type ForeignSearch } from './find-foreign.ts'
import type { ForeignRun, ForeignRunSummary } from './foreign-run.ts'
import { loadForeign, summarizeForeign } from './read-foreign-record.ts'

const READS_AT_ONCE = 8

/** Runs of other products in the working directory's project, newest first; those without a time last. */
export async function listForeignRuns(search: ForeignSearch): Promise<ForeignRunSummary[]> {
  const places = await foreignRunsOf(search)
  const runs: ForeignRunSummary[] = []
  for (let at = 0; at < places.length; at += READS_AT_ONCE) {
    const group = places.slice(at, at + READS_AT_ONCE)
    runs.push(...(await Promise.all(group.map(place => summarizeForeign(search.fs, place)))))
  }
  return runs.sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
}

/** Undefined when no other product has a run of that id. Throws JournalError for a record that cannot be used. */
export async function loadForeignRun(search: ForeignSearch, runId: string): Promise<ForeignRun | undefined> {
  const place = isRunId(runId) ? await findForeign(search, runId) : undefined
  return place && loadForeign(search.fs, place)
}
