import type { JsonValue } from '@tutti/protocol'

/** A finished agent of a run that another product, or another run of ours, left behind. */
export interface ReusableCall {
  transcriptId: string
  label?: string
  phase?: string
  /** As handed to the agent. */
  prompt: string
  agentType?: string
  model?: string
  /** The final text, or the object of the last accepted `StructuredOutput`. */
  result: JsonValue
  /** The result came through `StructuredOutput`. */
  hadSchema: boolean
  /** Tokens of all kinds, when known. */
  tokens?: number
  /** The agent is known to have ended well. */
  complete: boolean
}

/** What a run that is to be reused offers. */
export interface ReusableRun {
  /** Where it was read. */
  source: string
  product: 'tutti' | 'claude-code' | 'codebuddy'
  calls: ReusableCall[]
  /** What could not be read or is not reusable. */
  problems: { what: string; why: string }[]
}
