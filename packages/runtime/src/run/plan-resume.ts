import { DeadlockError } from '../errors/errors.ts'
import type { RuntimeParts } from './begin-attempt.ts'
import type { Ending } from './ending.ts'
import type { ReplayPlan } from './plan-types.ts'
import { rehearse } from './rehearse.ts'
import { explainMiss, readHistory } from './replay/explain-miss.ts'
import { indexRecords } from './replay/record-index.ts'
import { resumeFacts } from './resume-run.ts'
import { tokensOf } from './run-state.ts'
import type { ResumeOptions } from './types.ts'

/**
 * Runs the script against the records of a run and stops where it would wait for a dispatch. Dispatches and
 * writes nothing, takes no lease. Throws as a resume does.
 */
export async function planResume(
  parts: RuntimeParts,
  runId: string,
  options: ResumeOptions,
): Promise<ReplayPlan> {
  const { store } = parts.ports
  const run = await store.load(runId)
  const { facts, warnings } = await resumeFacts(parts, run, options)
  const records = indexRecords(run.journal)
  const { locations } = run
  const { missed, ending, state } = await rehearse(parts, { facts, records, locations })
  const taken = records.all().filter(record => record.taken)
  const asked = new Set([...taken.map(record => record.key), ...missed.map(({ call }) => call.key)])
  const read = await readHistory(run.journal, async hash => await store.readBlob(runId, hash))
  const history = { ...read, asked }
  const rest = records.all().filter(record => !record.taken)
  return {
    runId,
    hits: state.census.cached,
    misses: missed.map(({ call, barrier }) => explainMiss(call, barrier, history)),
    notReached: rest.map(({ key, n, label }) => ({ label: label ?? '', key, n })),
    tokensSaved: taken.reduce((sum, record) => sum + tokensOf(record.entry.usage), 0),
    ...standOf(ending),
    warnings: [...warnings, ...state.warnings],
  }
}

/** How a script stands that is not given what it waits for. */
export function standOf(ending: Ending): Pick<ReplayPlan, 'end' | 'value' | 'error'> {
  if (ending.kind === 'returned') {
    return { end: 'returned', ...(ending.value !== undefined && { value: ending.value }) }
  }
  if (ending.kind === 'failed' && ending.error.name !== DeadlockError.name) {
    return { end: 'threw', error: ending.error.message }
  }
  return { end: 'waiting' }
}
