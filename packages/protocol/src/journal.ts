import type { Cause, Effects } from './cause.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { WorktreeReport } from './progress.ts'
import type { RunLimits, RunStatus, SerializedError } from './record.ts'
import type { AgentUsage, Census } from './usage.ts'

/** On every journal line. */
export interface JournalStamp {
  /** Rising by one over the whole file. */
  seq: number
  /** Attempt of the run, from 1. */
  attempt: number
  /** Fencing number of the lease that wrote the line. */
  fence: number
}

/** Before the first dispatch of each attempt. */
export interface LaunchedEntry {
  type: 'launched'
  runId: string
  name: string
  scriptHash: string
  args?: JsonValue
  /** Start of the first attempt, milliseconds since the epoch: `run.startedAt` of every attempt. */
  startedAt: number
  limits: RunLimits
  model?: string
  backend?: string
  /** Build of the script engine. */
  engine: string
  flags?: string[]
  schemaVersion: number
}

/** An agent got a slot. */
export interface StartedEntry {
  type: 'started'
  key: string
  n: number
  index: number
  agentId: string
  transcriptId: string
  label: string
  phase?: string
  /** The canonical call; above 8 KiB the hash of a blob that holds it. */
  call: JsonObject | string
}

/** An agent finished well. */
export interface ResultEntry {
  type: 'result'
  key: string
  n: number
  agentId: string
  transcriptId: string
  label?: string
  /** Left out when `resultHash` is given. */
  result?: JsonValue
  /** sha256 of a result that is kept outside the journal. */
  resultHash?: string
  usage: AgentUsage
  tries: number
  effects: Effects
  model?: string
  /** The result was made up by the `simulate` backend. */
  simulated?: boolean
  worktree?: WorktreeReport
  endedAt: number
  /** The result was taken over from another run: it cost this run nothing. */
  origin?: ResultOrigin
}

/** Where a result that was taken over comes from. */
export interface ResultOrigin {
  /** `tutti`, `claude-code` or `codebuddy`. */
  product: string
  /** Run id or path. */
  source: string
  transcriptId?: string
}

/** An agent ended otherwise, or was still queued at a stop. */
export interface FailedEntry {
  type: 'failed'
  key: string
  n: number
  agentId: string
  /** Absent when the call never got a slot. */
  transcriptId?: string
  label?: string
  cause: Cause
  message: string
  usage: AgentUsage
  tries: number
  effects: Effects
  lastText?: string
  lastInvalid?: JsonValue
  model?: string
  worktree?: WorktreeReport
  /** Names the agent's conversation to its backend: it can be continued. Opaque. */
  sessionId?: string
  /** Of the call; given with `sessionId`. */
  backend?: string
  endedAt: number
}

/** Something was handed to the script. */
export interface DeliveredEntry {
  type: 'delivered'
  /** Of an agent. */
  key?: string
  n?: number
  /** Of a timer or question: its name. */
  name?: string
  /** The call took the record of an identical call: the attempt that made it and the ordinal it was made for. */
  from?: { attempt: number; n: number }
}

/** A timer was set. `name`: `timer:<path>:<ordinal>`. */
export interface TimerEntry {
  type: 'timer'
  name: string
  delayMs: number
}

/** A question was asked. */
export interface AskEntry {
  type: 'ask'
  name: string
  question: string
  choices?: JsonValue[]
  schema?: JsonObject
}

/** A question was answered. */
export interface AnswerEntry {
  type: 'answer'
  name: string
  value: JsonValue
  by?: string
}

/** The attempt ended. */
export interface RunEndEntry {
  type: 'run_end'
  status: RunStatus
  error?: SerializedError
  endedAt: number
  census: Census
}

/** What a run appends; the writer adds the stamp. */
export type JournalEntry =
  | LaunchedEntry
  | StartedEntry
  | ResultEntry
  | FailedEntry
  | DeliveredEntry
  | TimerEntry
  | AskEntry
  | AnswerEntry
  | RunEndEntry

/** A line of the journal. Readers ignore types they do not know. */
export type JournalLine = JournalEntry & JournalStamp

export const JOURNAL_LINE_TYPES = [
  'launched',
  'started',
  'result',
  'failed',
  'delivered',
  'timer',
  'ask',
  'answer',
  'run_end',
] as const
