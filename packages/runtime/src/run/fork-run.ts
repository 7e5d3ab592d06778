import type { JournalEntry, JournalLine, ResultEntry, RunRecord } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import type { RunStore, RunWriter, StoredRun } from '../ports/run-store.ts'
import { prepareSandbox } from '../sandbox/open-sandbox.ts'
import { begin, type RuntimeParts } from './begin-attempt.ts'
import { newRunId } from './ids.ts'
import { indexRecords, recordedOrder } from './replay/record-index.ts'
import { resumeFacts } from './resume-run.ts'
import { firstRecord, launchedEntry, type AttemptFacts } from './run-record.ts'
import { noUsage } from './run-state.ts'
import type { ForkOptions, RunHandle } from './types.ts'

/** The copied results count as an attempt of their own. */
const COPIED_ATTEMPT = 1

/**
 * A new run that starts from the results of another, up to a call: that call and everything issued after it runs
 * anew. The other run is only read.
 */
export async function forkRun(parts: RuntimeParts, runId: string, options: ForkOptions): Promise<RunHandle> {
  const { ports } = parts
  const prepared = prepareSandbox()
  let writer: RunWriter | undefined
  try {
    const run = await ports.store.load(runId)
    const { facts: base, warnings } = await resumeFacts(parts, run, options)
    const { entries, blobs, lost } = await readable(copiedEntries(run, options.at), ports.store, runId)
    const facts: AttemptFacts = {
      ...base,
      runId: newRunId(ports.random),
      attempt: COPIED_ATTEMPT + 1,
      attempts: [],
      priorUsage: noUsage(),
      priorByPhase: new Map(),
      priorMs: 0,
      forkedFrom: { runId, ...(options.at !== undefined && { at: options.at }) },
    }
    writer = await ports.store.create({
      runId: facts.runId,
      sessionId: facts.sessionId,
      scriptName: facts.meta.name,
      script: facts.script.source,
      record: locations => firstRecord(facts, locations),
    })
    for (const blob of blobs) await writer.writeBlob(blob)
    const all = [launchedEntry(facts), ...entries]
    await Promise.all(all.map(async entry => await writer?.append(COPIED_ATTEMPT, entry)))
    const lines = all.map((entry, i) => ({ ...entry, seq: i + 1, attempt: COPIED_ATTEMPT, fence: 1 }))
    const records = indexRecords(lines)
    return begin(parts, {
      facts,
      writer,
      prepared,
      warnings: [...warnings, ...lost],
      records,
      reuse: options.reuse,
    })
  } catch (error) {
    await prepared.discard()
    await writer?.close()
    throw error
  }
}

/** Results of calls issued before `at`, and the order in which the last attempt handed them over. */
function copiedEntries(
  { journal, record, ...run }: StoredRun,
  at: string | number | undefined,
): JournalEntry[] {
  const indexOf = issueOrder(journal, record)
  const limit = at === undefined ? Number.POSITIVE_INFINITY : indexAt(at, { journal, record, ...run })
  const before = (key: string, n: number): boolean =>
    at === undefined || (indexOf.get(`${key}#${n}`) ?? Number.POSITIVE_INFINITY) < limit
  const seen = new Set<string>()
  // Of several records of one call only the one it had last is copied.
  const firstOf = (key: string, n: number): boolean => seen.size < seen.add(`${key}#${n}`).size
  const results = indexRecords(journal)
    .all()
    .filter(({ key, n }) => before(key, n) && firstOf(key, n))
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ entry, n }) => copyOf(entry, n, record.runId))
  const order = recordedOrder(journal)
  const calls = results.map(({ key, n }) => `${key}#${n}`)
  const kept = new Set(calls)
  // A timer that fired after the first call that runs anew belongs to what runs anew.
  const turn = [...order].filter(([name]) => !kept.has(name) && !isTimer(name)).map(([, place]) => place)
  const end = at === undefined ? Number.POSITIVE_INFINITY : Math.min(...turn, Number.POSITIVE_INFINITY)
  const delivered = [...order]
    .filter(([name, place]) => kept.has(name) || (isTimer(name) && place < end))
    .toSorted(([, a], [, b]) => a - b)
    .map(([name]): JournalEntry => deliveredEntry(name))
  return [...results, ...delivered]
}

function isTimer(name: string): boolean {
  return name.startsWith('timer:')
}

/** `name` as `recordedOrder` has it. */
function deliveredEntry(name: string): JournalEntry {
  if (isTimer(name)) return { type: 'delivered', name }
  const at = name.lastIndexOf('#')
  return { type: 'delivered', key: name.slice(0, at), n: Number(name.slice(at + 1)) }
}

function copyOf(entry: ResultEntry, n: number, source: string): ResultEntry {
  const { key, agentId, transcriptId, label, result, resultHash, usage, tries, effects, model, simulated } =
    entry
  const { worktree } = entry
  return {
    type: 'result',
    key,
    n,
    agentId,
    transcriptId,
    ...(label !== undefined && { label }),
    ...(result !== undefined && { result }),
    ...(resultHash !== undefined && { resultHash }),
    usage,
    tries,
    effects,
    ...(model !== undefined && { model }),
    ...(simulated !== undefined && { simulated }),
    ...(worktree && { worktree }),
    endedAt: entry.endedAt,
    origin: { product: 'tutti', source, transcriptId },
  }
}

function issueOrder(journal: JournalLine[], record: RunRecord): Map<string, number> {
  const order = new Map<string, number>()
  for (const line of journal) if (line.type === 'started') order.set(`${line.key}#${line.n}`, line.index)
  for (const row of record.progress) {
    if (row.type === 'workflow_agent') order.set(`${row.key}#${row.n}`, row.index)
  }
  return order
}

function indexAt(at: string | number, { record, journal }: StoredRun): number {
  const rows = record.progress.filter(row => row.type === 'workflow_agent')
  const started = journal.filter(line => line.type === 'started')
  const calls = [...rows, ...started].map(({ index, label }) => ({ index, label }))
  const found = calls.find(call => call.index === at || call.label === at)
  if (found !== undefined) return found.index
  const labels = [...new Set(calls.map(call => call.label))].slice(0, 20)
  throw new WorkflowInputError(
    'option-invalid',
    `run ${record.runId} has no call ${JSON.stringify(at)}; give a label or a number: ${labels.join(', ')}`,
  )
}

/** Leaves out results whose text is gone: their calls run again. Read before anything is made. */
async function readable(
  entries: JournalEntry[],
  store: RunStore,
  runId: string,
): Promise<{ entries: JournalEntry[]; blobs: string[]; lost: string[] }> {
  const kept: JournalEntry[] = []
  const blobs: string[] = []
  const lost: string[] = []
  for (const entry of entries) {
    if (entry.type === 'result' && entry.resultHash !== undefined) {
      try {
        blobs.push(await store.readBlob(runId, entry.resultHash))
      } catch {
        lost.push(`the recorded result of "${entry.label ?? entry.key}" is gone; the agent runs again`)
        continue
      }
    }
    kept.push(entry)
  }
  return { entries: kept, blobs, lost }
}
