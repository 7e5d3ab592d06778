import type { JsonObject, JsonValue } from './json.ts'

/** One declared progress group of a script. */
export interface PhaseMeta {
  title: string
  detail?: string
  /** Default model of the agents in this phase. */
  model?: string
  /** What the agents of this phase may spend. */
  budget?: PhaseBudget
}

/** Checked before each dispatch, like the run's own limits. */
export interface PhaseBudget {
  outputTokens?: number
  /** Tokens of all kinds. */
  tokens?: number
  /** US dollars. */
  costUsd?: number
  /** Wall clock from the phase's first dispatch, in milliseconds. */
  wallMs?: number
}

/** `export const meta`, normalised: string phases become `{ title }`, repeated titles are merged. */
export interface WorkflowMeta {
  /** 1–64 of `A-Z a-z 0-9 . _ -`, not `.` or `..`. */
  name: string
  description: string
  whenToUse?: string
  phases?: PhaseMeta[]
  /** Default model of the run's agents. */
  model?: string
  /** JSON Schema that `args` is checked against at launch. */
  args?: JsonObject
  /** Fields this version does not know are kept. */
  [key: string]: JsonValue | PhaseMeta[] | undefined
}
