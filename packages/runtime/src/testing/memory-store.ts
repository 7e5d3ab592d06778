import { JOURNAL_LINE_TYPES, type JournalLine, type RunOutput, type RunRecord } from '@tutti/protocol'
import { JournalError, LeaseError, RunNotFoundError } from '../errors/errors.ts'
import type { Clock } from '../ports/clock.ts'
import type {
  RunCreation,
  RunLocations,
  RunStore,
  RunSummary,
  RunWriter,
  StoredRun,
} from '../ports/run-store.ts'
import { sha256 } from '../schema/hash.ts'
import { systemClock } from '../system/system-clock.ts'
import { lockedWriter, type MemoryRun } from './memory-writer.ts'

/** A store without files, with windows into it for tests. */
export interface MemoryStore extends RunStore {
  /** Every line of a run's journal, those of old fences included. */
  journal(runId: string): JournalLine[]
  /** The output file of a run; undefined when none was written. */
  output(runId: string): RunOutput | undefined
  /** The lines of a transcript; empty when nothing was written. */
  transcript(runId: string, transcriptId: string): unknown[]
  /** Ends the owner of a run as a killed process ends: its later writes reach nothing, its lease is free. */
  kill(runId: string): void
  /** Another owner takes the lease over from a live one, as after a long silence of that one. */
  seize(runId: string): Promise<{ run: StoredRun; writer: RunWriter }>
  /** From now on writing a run fails with this message, like a full disk. */
  failWrites(runId: string, message: string): void
}

/** Keeps runs in memory, by the same rules as the file store. */
export function createMemoryStore(options: { clock?: Clock } = {}): MemoryStore {
  const clock = options.clock ?? systemClock()
  const runs = new Map<string, MemoryRun>()

  function find(runId: string): MemoryRun {
    const run = runs.get(runId)
    if (run) return run
    throw new RunNotFoundError(`There is no run ${runId}. Looked for it in memory.`)
  }

  function create(creation: RunCreation): RunWriter {
    const { runId } = creation
    if (runs.has(runId)) {
      throw new JournalError(
        'journal-write-failed',
        `There is a run ${runId} already; start one with another id.`,
      )
    }
    const locations = locationsOf(runId)
    const run: MemoryRun = {
      runId,
      locations,
      recordText: JSON.stringify(creation.record(locations)),
      script: creation.script,
      outputText: undefined,
      lines: [],
      blobs: new Map(),
      transcripts: new Map(),
      fence: 0,
      owner: undefined,
    }
    runs.set(runId, run)
    return lockedWriter(run)
  }

  function open(runId: string, force: boolean): { run: StoredRun; writer: RunWriter } {
    const run = find(runId)
    if (run.owner && !force) {
      throw new LeaseError(
        'run-is-owned',
        `Run ${runId} is owned by process ${process.pid} on memory (0.0 s ago).`,
      )
    }
    return { run: stored(run), writer: lockedWriter(run) }
  }

  function summarize(run: MemoryRun): RunSummary {
    const record = JSON.parse(run.recordText) as RunRecord
    if (run.owner) record.heartbeatAt = clock.now()
    const live = record.status === 'running' || record.status === 'pending'
    return { record, locations: run.locations, interrupted: live && !run.owner }
  }

  return {
    create: async creation => create(creation),
    open: async runId => open(runId, false),
    load: async runId => stored(find(runId)),
    async list() {
      const summaries = [...runs.values()].map(summarize)
      return summaries.sort((a, b) => b.record.attemptStartedAt - a.record.attemptStartedAt)
    },
    async readBlob(runId, hash) {
      const text = find(runId).blobs.get(hash)
      if (text !== undefined && sha256(text) === hash) return text
      throw new JournalError('journal-unreadable', `Run ${runId} has no stored text ${hash}.`)
    },
    journal: runId => find(runId).lines.map(line => JSON.parse(line) as JournalLine),
    output(runId) {
      const text = find(runId).outputText
      return text === undefined ? undefined : (JSON.parse(text) as RunOutput)
    },
    transcript: (runId, transcriptId) =>
      (find(runId).transcripts.get(transcriptId) ?? []).map(line => JSON.parse(line) as unknown),
    kill: runId => find(runId).owner?.end('killed'),
    seize: async runId => open(runId, true),
    failWrites: (runId, message) => find(runId).owner?.end('full', message),
  }
}

function locationsOf(runId: string): RunLocations {
  return {
    record: `memory:${runId}.json`,
    output: `memory:${runId}.output.json`,
    journal: `memory:${runId}.journal.jsonl`,
    script: `memory:scripts/${runId}.js`,
    transcripts: `memory:subagents/workflows/${runId}`,
  }
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(JOURNAL_LINE_TYPES)

function stored(run: MemoryRun): StoredRun {
  const journal: JournalLine[] = []
  let highestFence = 0
  for (const text of run.lines) {
    const line = JSON.parse(text) as JournalLine
    if (line.fence < highestFence) continue
    highestFence = line.fence
    if (KNOWN_TYPES.has(line.type)) journal.push(line)
  }
  return {
    record: JSON.parse(run.recordText) as RunRecord,
    script: run.script,
    journal,
    damaged: [],
    torn: false,
    locations: run.locations,
  }
}
