/** What one agent, or all agents of a run, spent. */
export interface TokenUsage {
  /** Input tokens, cached ones not included. */
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  /** Output tokens that were only thought; part of `output`. */
  reasoning?: number
}

/** Spending of one agent over all its tries. */
export interface AgentUsage extends TokenUsage {
  toolUses: number
  durationMs: number
  /** US dollars; null when the price is not known, never 0 for that. */
  costUsd?: number | null
  /** False when the backend could only estimate. */
  exact?: boolean
}

/** Spending of a run. */
export interface RunUsage extends TokenUsage {
  toolUses: number
  durationMs: number
  costUsd?: number | null
}

/** The usage block of task frames. `total_tokens` is the sum of the rows' `tokens`. */
export interface TaskUsage {
  total_tokens: number
  tool_uses: number
  /** Milliseconds. */
  duration_ms: number
}

/** How the calls of an attempt ended. `ok` does not include `cached`. */
export interface Census {
  total: number
  ok: number
  cached: number
  failed: number
  stopped: number
  skipped: number
}
