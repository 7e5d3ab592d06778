import type { JsonValue } from '@tutti/protocol'

/** Products whose runs can be read but not gone on with. */
export type ForeignProduct = 'claude-code' | 'codebuddy'

/** A run that another product left behind, as far as its files tell. All text in it is untrusted. */
export interface ForeignRunSummary {
  product: ForeignProduct
  runId: string
  sessionId: string
  workflowName: string
  description?: string
  /** `unknown`: it has no record, so it is going on or was killed. */
  status: 'completed' | 'failed' | 'killed' | 'unknown'
  /** Milliseconds since the epoch. */
  startedAt?: number
  durationMs?: number
  model?: string
  /** Agents, by the record, else by the transcripts. */
  agents: number
  tokens?: number
  toolCalls?: number
  error?: string
  locations: ForeignRunLocations
}

/** Where its files are; those that are missing are left out. */
export interface ForeignRunLocations {
  /** The folder of its transcripts. */
  folder: string
  record?: string
  journal?: string
  script?: string
}

/** One agent of it, by the record. */
export interface ForeignAgent {
  transcriptId: string
  label: string
  /** As the product says: `done`, `error`, … */
  state: string
  phase?: string
  model?: string
  agentType?: string
  tokens?: number
  toolCalls?: number
  durationMs?: number
  error?: string
}

/** All that its record says. */
export interface ForeignRun extends ForeignRunSummary {
  args?: JsonValue
  result?: JsonValue
  phases: { title: string; detail?: string }[]
  logs: string[]
  rows: ForeignAgent[]
  /** Source text. */
  script?: string
}
