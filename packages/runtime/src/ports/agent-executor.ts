import type { AgentUsage, Cause, Effects, JsonObject, JsonValue, WorktreeReport } from '@tutti/protocol'
import type { AgentTypeDefinition } from './agent-types.ts'

/** A checkout of its own: a new one, or that of an earlier agent of the run. */
export type AgentIsolation = 'worktree' | { from: Pick<WorktreeReport, 'path' | 'base'> }

/** An earlier try whose conversation goes on. */
export interface AgentContinuation {
  /** As that try told it. */
  sessionId: string
  /** Why it ended. */
  cause: Cause
  /** Said to the agent next, instead of the prompt. */
  message: string
  /** True: without the conversation the agent fails. False: it then begins anew, with the prompt. */
  required: boolean
}

/** One try of one call, with every default already applied. */
export interface AgentCall {
  runId: string
  /** Content key; identical calls share it. */
  key: string
  /** Ordinal among the calls of the same key, from 1. */
  n: number
  /** Row index, from 1. */
  index: number
  /** Try within the call, from 1. */
  attempt: number
  /** Names the transcript of this dispatch; a new one per try. */
  transcriptId: string
  label: string
  phase?: string
  prompt: string
  schema?: JsonObject
  model?: string
  effort?: string
  agentType: AgentTypeDefinition
  /** The tools the agent may use; absent: all that its type allows. */
  tools?: string[]
  maxTurns?: number
  isolation?: AgentIsolation
  /** Relative to the project root. */
  cwd?: string
  /** The backend asked for by the call or the run. */
  backend?: string
  timeoutMs?: number
  continueFrom?: AgentContinuation
}

/** What is wrong with a submitted object. */
export interface SchemaIssue {
  /** JSON pointer into the object; empty for the root. */
  path: string
  message: string
}

/** Answer to a submission. */
export interface SubmissionVerdict {
  accepted: boolean
  issues: SchemaIssue[]
  /** Submissions left; at 0 the agent must end with `schema_rejected`. */
  left: number
}

/** A wish to use a tool. */
export interface PermissionQuestion {
  tool: string
  input: JsonObject
  /** Why somebody has to be asked, for people. */
  why?: string
}

export interface PermissionAnswer {
  allowed: boolean
  reason: string
  /** What decided; absent: a person. */
  source?: PermissionSource
}

/** The agent that asks. */
export interface PermissionAsker {
  runId: string
  /** Row index. */
  index: number
  label: string
  /** Aborted when the agent is ended and no longer waits for the answer. */
  signal?: AbortSignal
}

/** Asks whoever decides about tools. A rejection is a denial. */
export type AskPermission = (
  question: PermissionQuestion,
  asker: PermissionAsker,
) => Promise<PermissionAnswer>

/** What decided about a tool: a rule, the mode, what holds without either, a person, or that none answered. */
export type PermissionSource = 'rule' | 'mode' | 'default' | 'person' | 'nobody' | 'time'

/** One line of a transcript. */
export type TranscriptLine = JsonObject

/** What an executor may use while it runs one agent. */
export interface AgentContext {
  /** Aborted on stop, skip, time limit and stall; the outcome must follow within two seconds. */
  signal: AbortSignal
  /** Absolute; stands in for the project's root, for `cwd` too: a checkout of the agent's own. */
  projectRoot?: string
  /** Checks an object against the call's schema; counts submissions. Present when there is a schema. */
  submit?(value: JsonValue): SubmissionVerdict
  /** Asks whoever decides about tools; absent when nobody does. */
  permission?(question: PermissionQuestion): Promise<PermissionAnswer>
  /** Appends a line to the agent's transcript. Never throws. */
  transcript(line: TranscriptLine): void
  /** Lines of an earlier transcript of the same run, as far as they were written; none for an unknown one. */
  readTranscript?(transcriptId: string): Promise<TranscriptLine[]>
}

/** Sign of life of an agent. Any event counts against stalling. */
export type AgentEvent =
  | { type: 'text'; text: string }
  | { type: 'thinking'; text?: string }
  | { type: 'tool_start'; name: string; summary?: string }
  | { type: 'tool_end'; name: string }
  | { type: 'usage'; tokens: number }
  | { type: 'permission'; tool: string; allowed: boolean; source: PermissionSource; reason: string }
  | { type: 'model'; model: string }
  /** The conversation can be continued under this id from now on. */
  | { type: 'session'; sessionId: string }
  /** It works in a checkout of its own from now on. */
  | { type: 'worktree'; worktree: Pick<WorktreeReport, 'path' | 'base'> }
  | { type: 'activity' }

/** How one try ended. */
export type AgentOutcome = AgentSuccess | AgentFailure

interface OutcomeCommon {
  usage: AgentUsage
  effects: Effects
  /** The model that answered. */
  model?: string
  /** Lets a later call continue this conversation; opaque. */
  sessionId?: string
  /** The checkout of its own that was kept for its changes. */
  worktree?: WorktreeReport
}

export interface AgentSuccess extends OutcomeCommon {
  status: 'ok'
  /** Final text, or the accepted object. With a schema it is validated once more by the runtime. */
  value: JsonValue
  /** Made up, not the work of an agent. */
  simulated?: boolean
}

export interface AgentFailure extends OutcomeCommon {
  status: 'failed'
  cause: Cause
  message: string
  /** Wait at least this long before the next try. */
  retryAfterMs?: number
  /** When the account can go on, milliseconds since the epoch. */
  resetAt?: number
  lastText?: string
  lastInvalid?: JsonValue
}

/** A running try. */
export interface AgentExecution {
  /** Ends when the agent ends. */
  events: AsyncIterable<AgentEvent>
  /** Never rejects for what an agent did; a rejection counts as `crashed`. */
  result: Promise<AgentOutcome>
  /** Ends the agent at once, also when its signal was not heard. */
  cancel(reason: string): void
}

/** What a backend can do by itself; the runtime makes up for the rest. */
export interface ExecutorCapabilities {
  /**
   * `loop`: submissions go through `context.submit` inside the agent's own loop. `none`: the final text is
   * parsed and checked by the runtime, with one new prompt on failure.
   */
  schema: 'loop' | 'none'
  usage: 'exact' | 'estimate' | 'none'
  maxTurns: boolean
  isolation: boolean
  /** Conversations can be continued, where they left a session id. */
  continues?: boolean
}

/** Runs agents. */
export interface AgentExecutor {
  /** Name of the backend a call would run on: part of its key, the same over time for the same kind of work. */
  backendOf(call: { backend?: string; agentType: AgentTypeDefinition }): string
  /** Throws WorkflowInputError for a backend it does not have. */
  capabilities(backend: string): ExecutorCapabilities
  start(call: AgentCall, context: AgentContext): AgentExecution
}
