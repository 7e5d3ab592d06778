import { DeadlockError } from '../errors/errors.ts'
import type { RuntimeParts } from './begin-attempt.ts'
import type { Ending } from './ending.ts'
import type { ReplayPlan } from './plan-types.ts'
import { rehearse } from './rehearse.ts'
import { explainMiss, readHistory } from './replay/explain-miss.ts'
import { indexRecords, type RecordedResult } from './replay/record-index.ts'
import { resumeFacts } from './resume-run.ts'
import { retriedCall, setAside, unaskedWarning, type RetriedCall } from './retried-call.ts'
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
  const again = options.again && retriedCall(parts.ports, run, options.again)
  if (again !== undefined) setAside(records, again)
  const { locations } = run
  const { missed, ending, state } = await rehearse(parts, { facts, records, locations, again })
  if (again?.asked === false) state.warn(unaskedWarning(again))
  const taken = records.all().filter(record => record.taken && !isRecordOf(again, record))
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

/** Of a call that runs again: set aside, which is not taken. */
function isRecordOf(again: RetriedCall | undefined, { key, n }: RecordedResult): boolean {
  return again !== undefined && again.key === key && again.n === n
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
