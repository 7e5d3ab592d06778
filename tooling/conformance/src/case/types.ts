import type { JsonObject, JsonValue } from '@tutti/protocol'

/** One behaviour: what to do, and what must hold after each step. */
export interface Case {
  id: string
  about: string
  files: Record<string, string>
  env?: Record<string, string>
  needs?: 'git'
  process?: boolean
  steps: Step[]
}

export interface Step {
  launch?: RunStep
  resume?: RunStep
  stop?: object
  expect: Expectation
}

/** A launch or a resume; `runId` belongs to a resume. */
export interface RunStep {
  args?: JsonValue
  limits?: CaseLimits
  agents?: JsonObject
  files?: Record<string, string>
  runId?: string
  dryRun?: boolean
  background?: boolean
  stop?: SettledTrigger | { afterMs: number }
  skip?: string
  sigkill?: SettledTrigger | { settledCount: number }
}

/** Every one of these labels has a durable terminal line. */
export interface SettledTrigger {
  settled: string[]
}

export interface CaseLimits {
  agents?: number
  concurrency?: number
  scriptCpuMs?: number
  scriptMemoryMiB?: number
}

/** Only what is named is checked. */
export interface Expectation {
  status?: string
  degraded?: boolean
  pauseCause?: string
  exit?: number | string
  running?: boolean
  result?: JsonValue
  partialResult?: JsonValue
  resultErrorIncludes?: string | string[]
  resultIn?: JsonValue[]
  orStatus?: string | string[]
  hostAlive?: boolean
  census?: JsonObject
  failures?: JsonObject[]
  rows?: JsonObject[]
  plan?: JsonObject
  dispatched?: Record<string, number>
  dispatchedTotal?: number
  dispatchedAtMost?: number
  cached?: number
  cachedAtLeast?: number
  maxInFlight?: number
  withinMs?: number
  terminalLines?: number
  errorCode?: string
  messageIncludes?: string | string[]
  inputErrorCode?: string
  filesCreated?: number
  wireOrder?: string[]
}
