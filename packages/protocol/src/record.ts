import type { Cause } from './cause.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { PhaseMeta } from './meta.ts'
import type { AgentRow, LogRow, PhaseRow, WorktreeReport } from './progress.ts'
import type { Census, RunUsage } from './usage.ts'

/** `interrupted` is never written: it is how a `running` whose owner is gone is shown. */
export type RunStatus = 'pending' | 'running' | 'paused' | 'completed' | 'failed' | 'killed'

export const RUN_STATUSES = ['pending', 'running', 'paused', 'completed', 'failed', 'killed'] as const

/** An error as data. */
export interface SerializedError {
  name: string
  /** Stable; see docs/errors.md. */
  code?: string
  message: string
  hint?: string
  /** `workflow.js:LINE:COLUMN` frames of the user's own file. */
  stack?: string
  cause?: SerializedError
  /** Further fields of the error. */
  data?: JsonObject
}

/** Limits of a run; all can be raised on resume without losing the cache. */
export interface RunLimits {
  /** Agents at once. */
  concurrency: number
  /** Calls per run, children and cached ones included. */
  agents: number
  /** Entries of one parallel or pipeline. */
  entries: number
  /** One uninterrupted stretch of script, in nominal milliseconds of deterministic fuel. */
  scriptCpuMs: number
  scriptMemoryMiB: number
  /** Output tokens; null: none. */
  outputTokens: number | null
  /** Tokens of all kinds; null or absent: none. */
  tokens?: number | null
  /** US dollars; null or absent: none. */
  costUsd?: number | null
  /** Wall clock of all attempts, in milliseconds; null or absent: none. */
  wallMs?: number | null
}

/** A progress row as the record keeps it. */
export interface RecordAgentRow extends AgentRow {
  key: string
  n: number
  transcriptId?: string
  /** US dollars; null when the price is not known, absent when the backend says nothing about money. */
  costUsd?: number | null
  /** Of an agent with a worktree of its own: while it works there, and once it has left changes in it. */
  worktree?: WorktreeReport
  /** Names the agent's conversation to its backend. Opaque. */
  sessionId?: string
}

/** One failed, stopped or dropped thing of an attempt. */
export interface RunFailure {
  /** `agent`: a call. `thunk` / `stage`: an entry of parallel or pipeline that threw. */
  kind: 'agent' | 'thunk' | 'stage'
  label?: string
  index?: number
  cause?: Cause
  message: string
  lastText?: string
  lastInvalid?: JsonValue
}

/** Who runs a run. */
export interface RunOwner {
  host: string
  pid: number
  /** Start time of the process as the operating system tells it; guards against reused pids. */
  processStartedAt?: string
}

/** Where a forked run left the run it came from. */
export interface ForkOrigin {
  runId: string
  /** Label or index of the first call that runs anew; absent: all results were taken. */
  at?: string | number
}

/** An earlier attempt of a run. */
export interface AttemptSummary {
  attempt: number
  taskId: string
  toolUseId?: string
  status: RunStatus
  startedAt: number
  endedAt?: number
}

/** The run record on disk, replaced at each transition. */
export interface RunRecord {
  schemaVersion: number
  runId: string
  taskId: string
  toolUseId?: string
  attempts: AttemptSummary[]
  sessionId: string
  workflowName: string
  description: string
  status: RunStatus
  /** What paused the run: a cause, or `user`. */
  pausedBy?: string
  /** When the account can go on again, if the backend said so. */
  resetAt?: number
  /** Start of the first attempt, milliseconds since the epoch. */
  startedAt: number
  /** Start of the current attempt. */
  attemptStartedAt: number
  endedAt?: number
  heartbeatAt: number
  attempt: number
  /** The run whose results this one started from, and the call it left it at. */
  forkedFrom?: ForkOrigin
  owner?: RunOwner
  args?: JsonValue
  /** Where the script was started from, when it was started by path. */
  sourcePath?: string
  /** Working directory of the run. */
  cwd?: string
  /** The copy of the script as run. */
  scriptPath: string
  scriptHash: string
  model?: string
  backend?: string
  /** The run-level cache mode, when one was given; a resume keeps it. */
  cache?: 'auto' | 'content' | 'never'
  /** At least one result of this run was made up by the `simulate` backend. */
  simulated?: boolean
  phases: PhaseMeta[]
  progress: (PhaseRow | RecordAgentRow | LogRow)[]
  /** The last 1,000 log lines. */
  logs: string[]
  logsDropped: number
  limits: RunLimits
  usage: RunUsage
  /** Spent in earlier attempts. */
  priorUsage: RunUsage
  census: Census
  degraded: boolean
  failures: RunFailure[]
  warnings: string[]
  /** At most 400 characters. */
  resultPreview?: string
  /** What made the value unfit for JSON, with the path. */
  resultError?: string
  outputFile: string
  error?: SerializedError
}

/** `<runId>.output.json`: the full result. It always exists once a run has ended. */
export interface RunOutput {
  runId: string
  status: RunStatus
  attempt: number
  /** Left out when the run did not complete. */
  result?: JsonValue
  /** What a failed run returned, or had so far. */
  partialResult?: JsonValue
  resultError?: string
  error?: SerializedError
  simulated?: boolean
  /** Of a run that did not complete: the agents whose results are kept in the journal. */
  finished?: FinishedAgent[]
}

/** A finished agent of a run that did not complete. */
export interface FinishedAgent {
  index: number
  label: string
  phase?: string
  /** At most 400 characters; the journal has the whole. */
  preview?: string
}

/** `agent-<transcriptId>.meta.json`, beside the transcript. */
export interface TranscriptMeta {
  agentType: string
  label: string
  phase?: string
  model?: string
  runId: string
  toolUseId?: string
  /** 1 for an agent of the script, 2 for one of a child workflow. */
  spawnDepth: number
}
