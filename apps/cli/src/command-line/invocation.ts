import type { CacheMode } from '@tutti/runtime'

/** What a command is given: its words, then its options together with the global ones. */
export type Invocation =
  | { command: 'run'; script: string; pairs: string[]; options: RunFlags }
  | { command: 'resume'; runId?: string; pairs: string[]; options: ResumeFlags }
  | { command: 'retry'; runId: string; call: string | number; options: RetryFlags }
  | { command: 'fork'; runId: string; pairs: string[]; options: ForkFlags }
  | { command: 'diff'; runIds: [string, string]; options: JsonFlags }
  | { command: 'check'; files: string[]; options: JsonFlags }
  | { command: 'ls'; options: ListFlags }
  | { command: 'show'; runId?: string; options: ShowFlags }
  | { command: 'stop'; runId: string; options: JsonFlags }
  | { command: 'prune'; options: PruneFlags }
  | { command: 'config'; key?: string; options: ConfigFlags }
  | { command: 'doctor'; options: DoctorFlags }
  | { command: 'agents'; options: JsonFlags }
  | { command: 'worktrees'; action: WorktreeAction; names: string[]; options: WorktreeFlags }
  | { command: 'completion'; shell: string; options: GlobalFlags }

export interface GlobalFlags {
  /** Undefined unless `--color` or `--no-color` was given. */
  color?: boolean
}

export interface JsonFlags extends GlobalFlags {
  json?: boolean
}

export interface ListFlags extends JsonFlags {
  workflows?: boolean
  all?: boolean
}

export interface ShowFlags extends JsonFlags {
  result?: boolean
  journal?: boolean
  script?: boolean
}

export interface PruneFlags extends JsonFlags {
  /** Milliseconds. */
  olderThan: number
  dryRun?: boolean
}

export type WorktreeAction = 'ls' | 'diff' | 'merge' | 'rm'

export interface WorktreeFlags extends JsonFlags {
  all?: boolean
  dryRun?: boolean
  force?: boolean
}

export interface DoctorFlags extends JsonFlags {
  settings?: string
  trustProject?: boolean
}

export interface ConfigFlags extends JsonFlags {
  settings?: string
  trustProject?: boolean
}

/** Flags of all commands that start a run. A budget of `none` lifts the one that was there. */
export interface ExecutionFlags extends JsonFlags {
  args?: string
  argsFile?: string
  backend?: string
  model?: string
  concurrency?: number
  maxAgents?: number
  /** Output tokens. */
  budget?: number | 'none'
  /** Tokens of all kinds. */
  budgetTokens?: number | 'none'
  /** US dollars. */
  budgetCost?: number | 'none'
  /** Milliseconds. */
  budgetTime?: number | 'none'
  scriptCpuMs?: number
  scriptMemoryMib?: number
  cache?: CacheMode
  settings?: string
  trustProject?: boolean
  allowShell?: boolean
  /** How agents stand to what no rule speaks about. */
  permissionMode?: string
  /** Permission rules, several in one word too. */
  allowedTools?: string[]
  disallowedTools?: string[]
  autoResume?: boolean
  dialect?: 'auto' | 'codebuddy' | 'claude-code'
  streamJson?: boolean
  quiet?: boolean
}

export interface RunFlags extends ExecutionFlags {
  session?: string
  plan?: boolean
  /** A run of any product, or the id of one of ours. */
  reuse?: string
}

export interface ResumeFlags extends ExecutionFlags {
  script?: string
  dryRun?: boolean
}

export interface RetryFlags extends ExecutionFlags {
  /** With the agent's own conversation. */
  continue?: boolean
  dryRun?: boolean
}

export interface ForkFlags extends ExecutionFlags {
  script?: string
  /** Label or index of a call. */
  at?: string | number
}
