import type { JournalEntry, JournalLine, JsonObject, RunRecord } from '@tutti/protocol'

/** Where a run's files are, for people and records. Other stores may give any locators. */
export interface RunLocations {
  record: string
  output: string
  journal: string
  script: string
  transcripts: string
}

/** What a new run brings along. */
export interface RunCreation {
  runId: string
  /** Session the run belongs to. */
  sessionId: string
  scriptName: string
  script: string
  /** Made from the locations, so that the first record can name them. */
  record(locations: RunLocations): RunRecord
}

/** A line of a journal that could not be read. */
export interface DamagedLine {
  /** From 1. */
  line: number
  reason: string
}

/** A run as stored. Reading takes no lease. */
export interface StoredRun {
  record: RunRecord
  /** Undefined when the copy is missing: whoever brings a script can go on. */
  script: string | undefined
  /** In file order, lines of lower fences than one seen before left out. */
  journal: JournalLine[]
  damaged: DamagedLine[]
  /** A torn last line was there; it is cut off when the run is opened for writing. */
  torn: boolean
  locations: RunLocations
}

/** The one writer of a run. Holds the lease until closed. */
export interface RunWriter {
  readonly fence: number
  readonly locations: RunLocations
  /** Aborted with a LeaseError or JournalError as reason when this writer may not or cannot write any more. */
  readonly lost: AbortSignal
  /** Resolves when the line is durable. Lines keep the order of the calls. Rejects with JournalError. */
  append(attempt: number, entry: JournalEntry): Promise<void>
  /** Written in order with the others; nobody waits for it. Never throws: a failure aborts `lost`. */
  appendLater(attempt: number, entry: JournalEntry): void
  /** Replaces the script copy. */
  writeScript(source: string): Promise<void>
  /** Atomically replaces the record. */
  writeRecord(record: RunRecord): Promise<void>
  /** Atomically replaces the output file. `text` is JSON. */
  writeOutput(text: string): Promise<void>
  /** Stores text outside the journal; resolves to its sha256 when it is durable. */
  writeBlob(text: string): Promise<string>
  /** Opens a transcript; lines are written as they come and never block the run. */
  transcript(transcriptId: string, meta: JsonObject): TranscriptSink
  /** What was written to a transcript of the run so far; none for an unknown one. Lines that cannot be read are left out. */
  readTranscript(transcriptId: string): Promise<JsonObject[]>
  /** Writes out what is pending and gives the lease up. */
  close(): Promise<void>
}

export interface TranscriptSink {
  write(line: JsonObject): void
  close(): void
}

/** A run in a list. */
export interface RunSummary {
  record: RunRecord
  locations: RunLocations
  /** The record says running, but its owner is gone. */
  interrupted: boolean
}

/** Keeps runs. One conformance suite holds every implementation to this. */
export interface RunStore {
  /** Makes the run with its script and first record, and takes its lease. */
  create(creation: RunCreation): Promise<RunWriter>
  /** Takes the lease of a run. Throws RunNotFoundError, LeaseError, JournalError. */
  open(runId: string): Promise<{ run: StoredRun; writer: RunWriter }>
  /** Throws RunNotFoundError with the places searched. */
  load(runId: string): Promise<StoredRun>
  /** Newest first. */
  list(): Promise<RunSummary[]>
  /** Text stored with `writeBlob`. */
  readBlob(runId: string, hash: string): Promise<string>
}
