import type { Cause } from './cause.ts'

/** A progress group; `index` from 1. */
export interface PhaseRow {
  type: 'workflow_phase'
  index: number
  title: string
}

/** `start` → `done | error | cached`. */
export type AgentRowState = 'start' | 'done' | 'error' | 'cached'

export const AGENT_ROW_STATES = ['start', 'done', 'error', 'cached'] as const

/** A git worktree that an agent worked in and that was kept for its changes. */
export interface WorktreeReport {
  /** Absolute. */
  path: string
  /** The commit it started from. */
  base: string
  /** Holds the work; absent when it could not be committed. */
  branch?: string
  /** Changed files, as paths from the top of the tree; the first 100. */
  files: string[]
  /** How many there are beyond those. */
  moreFiles?: number
  /** Why the work is not on a branch, or not listed. */
  problem?: string
}

/** One agent of a run. Times in milliseconds since the epoch; previews at most 400 characters. */
export interface AgentRow {
  type: 'workflow_agent'
  /** Identity of the row: global from 1 and stable. */
  index: number
  /** Content key of the call; identical calls share it. */
  agentId: string
  label: string
  state: AgentRowState
  queuedAt?: number
  startedAt?: number
  endedAt?: number
  phaseIndex?: number
  phaseTitle?: string
  model?: string
  agentType?: string
  /** Output and input tokens together, as the backend counts them. */
  tokens?: number
  toolCalls?: number
  durationMs?: number
  /** Try within the call, from 1. */
  attempt?: number
  lastAttemptReason?: string
  lastProgressAt?: number
  lastToolName?: string
  lastToolSummary?: string
  promptPreview?: string
  resultPreview?: string
  cached?: boolean
  skipped?: boolean
  cause?: Cause
  error?: string
  isolation?: string
}

/** A line of the run log. */
export interface LogRow {
  type: 'workflow_log'
  index: number
  message: string
}

/** An entry of `workflow_progress`. Readers ignore types they do not know. */
export type ProgressRow = PhaseRow | AgentRow | LogRow

export const PROGRESS_ROW_TYPES = ['workflow_phase', 'workflow_agent', 'workflow_log'] as const
