import { readFile } from 'node:fs/promises'
import type { JournalLine, JsonObject, RecordAgentRow, RunOutput } from '@tutti/protocol'
import type { RunStore, StoredRun } from '@tutti/runtime'
import type { StepOutcome } from './outcome.ts'

/** What the files of a run say about its last attempt; journal lines up to `after` belong to earlier steps. */
export async function readRun(
  store: RunStore,
  run: { runId: string; after: number },
): Promise<Partial<StepOutcome>> {
  const stored = await store.load(run.runId)
  const { record } = stored
  const outcome: Partial<StepOutcome> = {
    status: await shownStatus(store, stored),
    degraded: record.degraded,
    census: { ...record.census },
    failures: record.failures as unknown as JsonObject[],
    rows: record.progress.filter(isAgentRow) as unknown as JsonObject[],
    cached: record.census.cached,
    terminalLines: stored.journal.filter(line => line.seq > run.after && isTerminal(line)).length,
  }
  if (record.pausedBy !== undefined) outcome.pauseCause = record.pausedBy
  if (record.resultError !== undefined) outcome.resultError = record.resultError
  if (record.error) outcome.error = record.error
  return { ...outcome, ...(record.status === 'running' ? {} : await readOutput(stored)) }
}

/** Number of the journal's last line; 0 when there is no such run. */
export async function lastSeq(store: RunStore, runId: string): Promise<number> {
  try {
    return (await store.load(runId)).journal.at(-1)?.seq ?? 0
  } catch {
    return 0
  }
}

async function shownStatus(store: RunStore, stored: StoredRun): Promise<string> {
  if (stored.record.status !== 'running') return stored.record.status
  const summary = (await store.list()).find(({ record }) => record.runId === stored.record.runId)
  return summary?.interrupted === true ? 'interrupted' : stored.record.status
}

async function readOutput(stored: StoredRun): Promise<Partial<StepOutcome>> {
  const text = await readFile(stored.locations.output, 'utf8').catch(() => undefined)
  if (text === undefined) return { problems: [`there is no output file ${stored.locations.output}`] }
  const output = JSON.parse(text) as RunOutput
  const outcome: Partial<StepOutcome> = {}
  if (output.partialResult !== undefined) outcome.partialResult = outcome.result = output.partialResult
  if (output.result !== undefined) outcome.result = output.result
  return outcome
}

function isAgentRow(row: StoredRun['record']['progress'][number]): row is RecordAgentRow {
  return row.type === 'workflow_agent'
}

function isTerminal(line: JournalLine): boolean {
  return line.type === 'result' || line.type === 'failed'
}
