import type { JsonObject, JsonValue } from '@tutti/protocol'

/** A code and a message, of a run's error or of a refusal. */
export interface Complaint {
  code?: string
  message: string
}

/** What one step did, in the words of the expectations. A field is absent when there is nothing to tell. */
export interface StepOutcome {
  status?: string
  degraded?: boolean
  pauseCause?: string
  exit?: number | string
  running?: boolean
  /** The script's value, of a failed run too. */
  result?: JsonValue
  partialResult?: JsonValue
  resultError?: string
  hostAlive?: boolean
  census?: JsonObject
  failures?: JsonObject[]
  rows?: JsonObject[]
  plan?: JsonObject
  dispatched: Record<string, number>
  cached: number
  maxInFlight: number
  wallMs: number
  terminalLines: number
  error?: Complaint
  /** Refused before a run. */
  refusal?: Complaint
  filesCreated: number
  /** `subtype:status` of the frames, in order. */
  wire?: string[]
  /** What no expectation asked for and is wrong all the same. */
  problems: string[]
}

/** An outcome in which nothing has happened yet. */
export function nothingHappened(): StepOutcome {
  return {
    dispatched: {},
    cached: 0,
    maxInFlight: 0,
    wallMs: 0,
    terminalLines: 0,
    filesCreated: 0,
    problems: [],
  }
}
