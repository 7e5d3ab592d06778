import type { JsonObject, JsonValue } from '@tutti/protocol'

/** One call that a resume would dispatch. */
export interface PlannedMiss {
  label: string
  phase?: string
  /** `workflow.js:LINE:COLUMN` of the call. */
  place?: string
  /**
   * `new`, `failed before`, `unfinished`, `after effects`, `cache: never`, `retried`, or what differs from the nearest
   * recorded call: `prompt changed`, `schema, model changed` …
   */
  reason: string
  /** Of `failed before`: the cause. */
  cause?: string
  prompt: string
  /** The recorded call it was compared with. */
  nearest?: { label: string; prompt: string }
}

/** A recorded result that the script did not ask for before it would wait. */
export interface PlannedRest {
  label: string
  key: string
  n: number
}

/** What a resume would do. Nothing is dispatched or written for it. */
export interface ReplayPlan {
  runId: string
  /** Calls that take a record. */
  hits: number
  misses: PlannedMiss[]
  notReached: PlannedRest[]
  /** Tokens of all kinds that the hits had cost. */
  tokensSaved: number
  /** How the script would stand: `waiting` for the misses, or at its end. */
  end: 'waiting' | 'returned' | 'threw'
  /** What it returned. */
  value?: JsonValue
  /** What it threw. */
  error?: string
  warnings: string[]
}

/** A call as a journal has it. */
export interface RecordedCall {
  key: string
  n: number
  label: string
  call: JsonObject
}

/** Medians over the completed runs of one workflow. */
export interface PastRuns {
  runs: number
  agents: number
  /** Tokens of all kinds. */
  tokens: number
  durationMs: number
}

/** What can be known of a run before it is launched. */
export interface LaunchEstimate {
  name: string
  /** Agents the script starts before it waits for the first result. There may be more after it. */
  firstAgents: { label: string; phase?: string }[]
  /** `returned`: the script needs no agents beyond those. */
  end: 'waiting' | 'returned' | 'threw'
  error?: string
  /** Absent when the workflow never completed in this project. */
  past?: PastRuns
  warnings: string[]
}
