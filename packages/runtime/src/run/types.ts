import type {
  AgentRow,
  JsonValue,
  LogRow,
  PhaseRow,
  RunFailure,
  RunLimits,
  RunRecord,
  RunStatus,
  SerializedError,
} from '@tutti/protocol'
import type { AgentExecutor, AskPermission } from '../ports/agent-executor.ts'
import type { AgentTypes } from '../ports/agent-types.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { ReusableRun } from '../ports/reusable-run.ts'
import type { RunLocations, RunStore } from '../ports/run-store.ts'
import type { WorkflowSource } from '../ports/workflow-source.ts'
import type { LaunchEstimate, ReplayPlan } from './plan-types.ts'

/** Everything outside that a runtime uses. Only `executor` and `store` have no default. */
export interface RuntimeOptions {
  executor: AgentExecutor
  store: RunStore
  workflows?: WorkflowSource
  agentTypes?: AgentTypes
  clock?: Clock
  random?: Random
  logger?: Logger
  /** Asks a person about a tool that an agent wants to use; absent: nobody is there. */
  permission?: AskPermission
  /** Defaults of every run. */
  limits?: Partial<RunLimits>
  /** Defaults of every call: `timeoutMs` none, `stallMs` ten minutes; 0 = off for both. */
  timeoutMs?: number
  stallMs?: number
  /** Replaces the number of extra tries of every cause that is tried again. */
  retries?: number
  /** Cores of this machine, for the default of `concurrency`; absent: the smallest default. */
  cpus?: number
}

/** A script to run: its text, and where it came from. */
export interface ScriptInput {
  source: string
  /** Absolute. Given: the script was started by path, and a resume reads the file again. */
  path?: string
}

export type CacheMode = 'auto' | 'content' | 'never'

export interface LaunchOptions {
  /** A string that is itself a JSON object or array is parsed once. */
  args?: JsonValue
  limits?: Partial<RunLimits>
  /** Default model of the run. */
  model?: string
  /** Default backend of the run. */
  backend?: string
  /** Absent: a new session. */
  sessionId?: string
  toolUseId?: string
  /** Working directory, kept in the record. */
  cwd?: string
  cache?: CacheMode
  /** Results of another run that calls of the same prompt and options take over. */
  reuse?: ReusableRun
}

export interface ResumeOptions {
  /** A new script; absent: the one of the record. */
  script?: ScriptInput
  /** Absent: those of the record. */
  args?: JsonValue
  limits?: Partial<RunLimits>
  model?: string
  backend?: string
  toolUseId?: string
  cache?: CacheMode
  /** Results of another run that calls of the same prompt and options take over. */
  reuse?: ReusableRun
  /** Dispatched again, also when it has a result. */
  again?: RetryRequest
}

/** A call that is dispatched again. */
export interface RetryRequest {
  /** Its label or index in the last attempt. */
  call: string | number
  /** It goes on with its own conversation, and is told why it was interrupted. */
  continue?: boolean
}

export interface ForkOptions extends Omit<ResumeOptions, 'again'> {
  /** Label or index of the first call that runs anew; absent: all results are taken. */
  at?: string | number
}

/** What happened in a run, in order. */
export type RunEvent =
  | { type: 'launched' }
  | { type: 'phase'; row: PhaseRow }
  /** A row appeared or changed. */
  | { type: 'agent'; row: AgentRow }
  | { type: 'log'; row: LogRow }
  | { type: 'warning'; message: string }
  /** `terminal`: the run's last word to the outside; on a stop its agents still settle after it. */
  | { type: 'status'; status: RunStatus; terminal: boolean; at: number }
  | { type: 'failure'; failure: RunFailure }
  /** Everything is on disk. */
  | { type: 'end'; end: RunEnd }

/** How an attempt ended. */
export interface RunEnd {
  runId: string
  taskId: string
  status: RunStatus
  /** The script's value when it completed. */
  value?: JsonValue
  /** What a failed run returned. */
  partialResult?: JsonValue
  /** What made the value unfit for JSON. */
  resultError?: string
  error?: SerializedError
  degraded: boolean
  pausedBy?: string
  resetAt?: number
  /** Calls dispatched in this attempt. */
  dispatched: number
  /** Tokens spent in this attempt; replayed results cost nothing. */
  tokens: number
  record: RunRecord
}

/** A run of this process. */
export interface RunHandle {
  readonly runId: string
  readonly taskId: string
  readonly name: string
  readonly description: string
  readonly locations: RunLocations
  /** Warnings of the launch check. */
  readonly warnings: string[]
  /** All events from the launch on, for each reader; ends after `end`. */
  readonly events: AsyncIterable<RunEvent>
  /** Resolves when everything is on disk; never rejects for what happened in the run. */
  readonly result: Promise<RunEnd>
  /** The state as the record has it, at this moment. */
  snapshot(): RunRecord
  /** Marks the run killed, aborts its agents; resolves with the end. Repeating it changes nothing. */
  stop(reason?: string): Promise<RunEnd>
  /** Ends one running or queued agent with null. False when there is none of that label or index. */
  skip(labelOrIndex: string | number): boolean
  /**
   * Ends the current try of one running agent and begins another: from the start, or with its conversation where
   * that can be continued. False when none of that label or index runs.
   */
  retry(labelOrIndex: string | number, options?: { continue?: boolean }): boolean
}

export interface Runtime {
  /**
   * Checks, records and starts a run; does not wait for its agents. Throws WorkflowInputError before
   * anything is made.
   */
  launch(script: ScriptInput, options?: LaunchOptions): Promise<RunHandle>
  /**
   * A new attempt of a run. Throws RunNotFoundError, LeaseError, JournalError, WorkflowInputError; `cannot-continue`
   * where a conversation was to be continued and is not there.
   */
  resume(runId: string, options?: ResumeOptions): Promise<RunHandle>
  /**
   * A new run that starts from the results of another one, which is only read. Throws RunNotFoundError,
   * WorkflowInputError.
   */
  fork(runId: string, options?: ForkOptions): Promise<RunHandle>
  /** What can be known of a run before it is launched. Dispatches and writes nothing. Throws as `launch` does. */
  estimate(script: ScriptInput, options?: LaunchOptions): Promise<LaunchEstimate>
  /**
   * What a resume would dispatch and why. Dispatches and writes nothing, takes no lease. Throws as `resume`
   * does, but for LeaseError.
   */
  plan(runId: string, options?: ResumeOptions): Promise<ReplayPlan>
}
