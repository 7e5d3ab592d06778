import type { JournalEntry, JsonObject } from '@tutti/protocol'
import { JournalError, LeaseError } from '../errors/errors.ts'
import type { RunLocations, RunWriter, TranscriptSink } from '../ports/run-store.ts'
import { sha256 } from '../schema/hash.ts'

/** A run as the memory store keeps it: as text, so that nothing is shared with whoever wrote it. */
export interface MemoryRun {
  runId: string
  locations: RunLocations
  recordText: string
  script: string
  outputText: string | undefined
  lines: string[]
  blobs: Map<string, string>
  transcripts: Map<string, string[]>
  /** Of the latest lease. */
  fence: number
  owner: MemoryOwner | undefined
}

/** Who holds the lease. */
export interface MemoryOwner {
  /**
   * `killed`: writes reach nothing and appends never settle. `full`: writes fail with `message`. `seized`:
   * another owner is there.
   */
  end(how: 'killed' | 'full' | 'seized', message?: string): void
}

/** Takes the lease, from a live owner if there is one. */
export function lockedWriter(run: MemoryRun): RunWriter {
  run.owner?.end('seized')
  const lost = new AbortController()
  const fence = ++run.fence
  let state: 'open' | 'closed' | 'killed' | 'full' | 'seized' = 'open'

  const owner: MemoryOwner = {
    end(how, message) {
      if (state !== 'open') return
      state = how
      if (how !== 'full') release()
      if (how === 'full')
        lost.abort(new JournalError('journal-write-failed', `Cannot write: ${message ?? how}`))
      if (how === 'seized') lost.abort(new LeaseError('lease-lost', `Run ${run.runId} was taken over.`))
    },
  }
  run.owner = owner

  function release(): void {
    if (run.owner === owner) run.owner = undefined
  }

  /** Does the work if this writer still may; never settles in a killed process. */
  async function guarded<T>(work: () => T): Promise<T> {
    if (state === 'killed') return new Promise<never>(() => {})
    if (state === 'closed')
      throw new JournalError('journal-write-failed', `The writer of ${run.runId} is closed.`)
    if (state !== 'open') throw lost.signal.reason as Error
    return work()
  }

  function add(attempt: number, { type, ...rest }: JournalEntry): void {
    run.lines.push(JSON.stringify({ type, seq: run.lines.length + 1, attempt, fence, ...rest }))
  }

  return {
    fence,
    locations: run.locations,
    lost: lost.signal,
    append: (attempt, entry) => guarded(() => add(attempt, entry)),
    appendLater(attempt, entry) {
      if (state === 'open') add(attempt, entry)
    },
    writeScript: source => guarded(() => void (run.script = source)),
    writeRecord: record => guarded(() => void (run.recordText = JSON.stringify(record))),
    writeOutput: text => guarded(() => void (run.outputText = text)),
    writeBlob: text =>
      guarded(() => {
        const hash = sha256(text)
        run.blobs.set(hash, text)
        return hash
      }),
    transcript: transcriptId => transcriptOf(run, transcriptId, () => state === 'open'),
    readTranscript: async transcriptId =>
      (run.transcripts.get(transcriptId) ?? []).map(line => JSON.parse(line) as JsonObject),
    async close() {
      if (state === 'open' || state === 'full') state = 'closed'
      release()
    },
  }
}

function transcriptOf(run: MemoryRun, transcriptId: string, mayWrite: () => boolean): TranscriptSink {
  let open = true
  return {
    write(line: JsonObject) {
      if (!open || !mayWrite()) return
      const lines = run.transcripts.get(transcriptId)
      if (lines) lines.push(JSON.stringify(line))
      else run.transcripts.set(transcriptId, [JSON.stringify(line)])
    },
    close() {
      open = false
    },
  }
}
