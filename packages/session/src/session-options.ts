import type { Chat, ChatConfig } from '@tutti/agents/chat'
import type { AgentInfo, Dialect, JsonObject, ModelInfo, ResultFrame } from '@tutti/protocol'
import type { Clock, Random, RunEnd } from '@tutti/runtime'
import type { FrameWriter } from './frame-writer.ts'
import type { SessionConfig } from './session-config.ts'
import type { EarlierSession, TranscriptLog } from './transcript-log.ts'
import type { DeskHost, WorkflowDesk } from './workflow/types.ts'

/** The streams of a session; it owns none of them. */
export interface SessionIo {
  /** What the host writes. Absent: nobody is there, as with `-p`. */
  input?: AsyncIterable<Uint8Array>
  /** Messages of the command line, each a turn, before those of `input`. */
  prompts?: string[]
  output: FrameSink
  /** One line for people, without its newline. Bounded in length and in total before it comes here. */
  note(line: string): void
}

/** Where frames go: a `FrameWriter`, or anything that takes them one by one. */
export type FrameSink = Pick<FrameWriter, 'write' | 'flush' | 'onClosed'> &
  Partial<Pick<FrameWriter, 'buffered' | 'closed'>>

export interface SessionOptions {
  sessionId: string
  cwd: string
  dialect: Dialect
  clock: Clock
  random: Random
  config: SessionConfig
  /** Read for who started us and for values that must not leave; nothing of it is shown. */
  env: Readonly<Record<string, string | undefined>>
  /** Called once, before the first turn or when the host first asks for something that a chat knows. */
  openChat(initial: ChatConfig, setup: HostSetup): Promise<Chat>
  /** Called once, with or before `openChat`. */
  openDesk(host: DeskHost, setup: HostSetup): Promise<WorkflowDesk>
  /** For `initialize` and `list_models`. */
  models(): ModelInfo[] | Promise<ModelInfo[]>
  /** Agent types that the project and the user define; those of the host are added. */
  agents(): AgentInfo[] | Promise<AgentInfo[]>
  log?: TranscriptLog
  /** Where `log` writes, as hooks are told. */
  transcriptPath?: string
  earlier?: EarlierSession
  /** User messages come back as frames with `isReplay`. */
  replayUserMessages?: boolean
  /** More may be noted. */
  verbose?: boolean
}

/** What the host has said in `initialize`; its fields change when it says more. */
export interface HostSetup {
  /** Agent types by name: `description`, `prompt`, `tools?`, `model?`; nothing of it has been checked. */
  readonly agents: JsonObject
}

export interface Session {
  /** Resolves when everything is over and flushed; never rejects. The caller keeps the process alive until then. */
  readonly done: Promise<SessionEnd>
  /** Stops turn and workflows, writes their last frames and ends the session, within five seconds. */
  stop(signal: StopSignal): Promise<void>
}

export type StopSignal = 'SIGINT' | 'SIGTERM'

export interface SessionEnd {
  reason: 'ended' | 'signal' | 'output-closed' | 'failed'
  /** For stream-json: 0 after an ordinary end, whatever the results say; 143 and 130 after a signal. */
  exitCode: number
  signal?: StopSignal
  /** Why it failed before any turn; holds no secret. */
  error?: unknown
  /** The last `result` that was written. */
  lastResult?: ResultFrame
  /** Attempts that ended, in that order. */
  workflows: RunEnd[]
}
