import type { ChatTool } from '@tutti/agents/chat'
import type { CommandInfo, InitializeResponse, JsonObject, TaskFrame, UserFrame } from '@tutti/protocol'
import type { RunEnd, RunHandle } from '@tutti/runtime'

/** The workflows of a session: how they are asked for, which run, and how they end. */
export interface WorkflowDesk {
  /** `Workflow`, `TaskStop`, `TaskOutput`, `TaskList`; without `Workflow` where workflows are switched off. */
  readonly tools: ChatTool[]
  /** What the system prompt says about workflows; empty where they are switched off. */
  instructions(): Promise<string>
  /** Saved workflows and our own commands, for `init` and `initialize`. */
  commands(): Promise<CommandInfo[]>
  /** A prompt that is a command of ours: what to do about it; undefined for any other prompt. */
  command(prompt: string): Promise<DeskCommand | undefined>
  /** Workflows that have not ended. */
  readonly running: readonly RunHandle[]
  /** False when there is no such task or it has ended. */
  stopTask(taskId: string, reason: string): Promise<boolean>
  /** Stops every workflow; resolves when the terminal frames of all were written. */
  stopAll(reason: string): Promise<void>
  /** Resolves when no workflow runs. */
  idle(): Promise<void>
  /** `background_tasks_changed` as it is now. */
  announceTasks(): void
  /** Answers one of our `x_tutti_…` requests; undefined: not ours. Throws an error for the host. */
  control(request: JsonObject & { subtype: string }): Promise<JsonObject | undefined>
}

export type DeskCommand =
  /** Shown as a tool use of the model: `input` of `Workflow`; `run` launches. */
  | { kind: 'workflow'; input: JsonObject; run: ChatTool['run'] }
  /** Answered without the model. */
  | { kind: 'answer'; text: string }

/** What the desk needs of its session. */
export interface DeskHost {
  readonly sessionId: string
  write(frame: TaskFrame | UserFrame, sent?: (bytes: number) => void): void
  /** A workflow has ended and its terminal frames were written: the model is to hear `text`. */
  ended(end: EndedWorkflow): void
  /** Asks whether a workflow may be launched; absent: nobody is there. */
  mayLaunch?(question: LaunchQuestion): Promise<{ allowed: boolean; reason?: string; remember?: boolean }>
  /** Mode of the session now. */
  permissionMode(): string
}

export interface LaunchQuestion {
  toolUseId: string
  input: JsonObject
  workflowName: string
  description: string
  phases: string[]
  signal: AbortSignal
}

export interface EndedWorkflow {
  handle: RunHandle
  end: RunEnd
  toolUseId: string
  /** `<task-notification>…`. */
  text: string
}

/** Part of the answer to `initialize` that the desk knows. */
export type DeskCapabilities = Pick<InitializeResponse, 'capabilities'>
