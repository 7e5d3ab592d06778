import type { FailedEntry, JournalLine, RecordAgentRow, StartedEntry } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import type { StoredRun } from '../ports/run-store.ts'
import { goOnFrom, type EndedTry, type GoingOn } from './going-on.ts'
import type { RecordIndex } from './replay/record-index.ts'
import type { RuntimePorts } from './run-context.ts'
import type { RetryRequest } from './types.ts'

/** A call that is dispatched again, whatever is recorded of it. */
export interface RetriedCall {
  key: string
  n: number
  label: string
  goingOn?: GoingOn
  /** Set once the script has asked for it. */
  asked: boolean
}

const LISTED = 20
const INTERRUPTED = 'the program that ran you ended'

/** Finds the call in a run. Throws WorkflowInputError, `cannot-continue` for a conversation that is not there. */
export function retriedCall(ports: RuntimePorts, run: StoredRun, request: RetryRequest): RetriedCall {
  const { key, n, label } = namedCall(run, request.call)
  const found: RetriedCall = { key, n, label, asked: false }
  if (request.continue !== true) return found
  return { ...found, goingOn: goingOnOf(ports, run, found) }
}

/** No call takes the records of a call that runs again, its identical twins neither. */
export function setAside(records: RecordIndex, { key, n }: RetriedCall): void {
  for (const record of records.all()) if (record.key === key && record.n === n) record.taken = true
}

/** Said of one that the script did not come to. */
export function unaskedWarning({ label }: RetriedCall): string {
  return `call "${label}" did not run again: this time the script did not ask for it, or for something else under that label`
}

interface KnownCall {
  key: string
  n: number
  index: number
  label: string
  finished: boolean
}

function namedCall(run: StoredRun, named: string | number): KnownCall {
  const calls = knownCalls(run)
  const found = calls.filter(({ index, label }) => index === named || label === named)
  const open = found.filter(({ finished }) => !finished)
  const [only, ...others] = found.length > 1 && open.length > 0 ? open : found
  if (only === undefined) {
    const labels = [...new Set(calls.map(({ label }) => label))].slice(0, LISTED).join(', ')
    throw new WorkflowInputError(
      'option-invalid',
      `run ${run.record.runId} has no call ${JSON.stringify(named)}; give a label or a number: ${labels}`,
    )
  }
  if (others.length === 0) return only
  const numbers = [only, ...others].map(({ index }) => index).slice(0, LISTED)
  throw new WorkflowInputError(
    'option-invalid',
    `${others.length + 1} calls of run ${run.record.runId} are called ${JSON.stringify(named)}; give the number of one: ${numbers.join(', ')}`,
  )
}

/** As the record tells; what the journal tells beyond that was not saved there when the run was interrupted. */
function knownCalls({ record, journal }: StoredRun): KnownCall[] {
  const calls = new Map<string, KnownCall>()
  for (const line of journal)
    if (line.type === 'started' && line.attempt === record.attempt)
      calls.set(`${line.key}#${line.n}`, { ...line, finished: false })
  for (const row of agentRows(record.progress)) {
    const finished = row.state === 'done' || row.state === 'cached'
    calls.set(`${row.key}#${row.n}`, { ...row, finished })
  }
  return [...calls.values()]
}

function agentRows(rows: StoredRun['record']['progress']): RecordAgentRow[] {
  return rows.filter(row => row.type === 'workflow_agent')
}

function goingOnOf({ executor }: RuntimePorts, run: StoredRun, call: RetriedCall): GoingOn {
  const cannot = (why: string): WorkflowInputError =>
    new WorkflowInputError('cannot-continue', `call "${call.label}" cannot be continued: ${why}`, {
      hint: `To run it from its start: tutti retry ${run.record.runId} ${JSON.stringify(call.label)}`,
    })
  const history = historyOf(run.journal, call)
  const { started, end } = history
  if (end?.type === 'result') throw cannot('it has ended well')
  const content = typeof started?.call === 'object' ? started.call : {}
  const backend = end?.backend ?? content['backend']
  if (typeof backend === 'string' && executor.capabilities(backend).continues !== true)
    throw cannot(`backend "${backend}" cannot continue conversations`)
  const isolated = rowOf(run, call)?.isolation !== undefined || content['isolation'] !== undefined
  const goingOn = goOnFrom(lastTry(run, call, history), { isolated, required: true })
  if (typeof goingOn === 'string') throw cannot(goingOn)
  return goingOn
}

interface CallHistory {
  started: StartedEntry | undefined
  /** Of the last dispatch; undefined: it was still running when the run was interrupted. */
  end: Extract<JournalLine, { type: 'result' | 'failed' }> | undefined
  /** The last failure that left a session. */
  failed: FailedEntry | undefined
}

function historyOf(journal: JournalLine[], { key, n }: RetriedCall): CallHistory {
  const history: CallHistory = { started: undefined, end: undefined, failed: undefined }
  for (const line of journal) {
    if (line.type !== 'started' && line.type !== 'result' && line.type !== 'failed') continue
    if (line.key !== key || line.n !== n) continue
    if (line.type === 'started') {
      history.started = line
      history.end = undefined
    } else history.end = line
    if (line.type === 'failed' && line.sessionId !== undefined) history.failed = line
  }
  return history
}

/** One that was interrupted told its session and its worktree to the record only. */
function lastTry(run: StoredRun, call: RetriedCall, { end, failed }: CallHistory): EndedTry {
  const row = rowOf(run, call)
  if (end === undefined && row?.state === 'start' && row.sessionId !== undefined)
    return {
      sessionId: row.sessionId,
      ...(row.worktree && { worktree: row.worktree }),
      cause: 'crashed',
      message: INTERRUPTED,
    }
  return failed ?? { cause: 'stopped', message: '' }
}

function rowOf({ record }: StoredRun, { key, n }: RetriedCall): RecordAgentRow | undefined {
  return agentRows(record.progress).find(row => row.key === key && row.n === n)
}
