import type { ChatTool } from '@tutti/agents/chat'
import type { CommandInfo, JsonObject, PermissionSettings, TaskFrame, UserFrame } from '@tutti/protocol'
import type { PermissionAnswer, RunEnd, RunHandle } from '@tutti/runtime'

/** The workflows of a session: how they are asked for, which run, and how they end. */
export interface WorkflowDesk {
  /** `Workflow`, `WorkflowGuide`, `TaskStop`, `TaskOutput`, `TaskList`; none where workflows are switched off. */
  readonly tools: ChatTool[]
  /** The `x_tutti_…` requests that `control` answers. */
  readonly capabilities: readonly string[]
  /** What the system prompt says about workflows; empty where they are switched off. */
  instructions(options?: InstructionOptions): Promise<string>
  /** Saved workflows and our own commands, for `init` and `initialize`; none where workflows are switched off. */
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
  /** Answers one of our `x_tutti_…` requests; undefined: not ours. Rejects with an error for the host. */
  control(request: JsonObject & { subtype: string }): Promise<JsonObject | undefined>
}

export interface InstructionOptions {
  /** The turn is to be worked on with high effort: see `wantsHighEffort`. */
  highEffort?: boolean
}

export type DeskCommand =
  /** Shown as a tool use of the model: `input` of `Workflow`; `run` launches. */
  | { kind: 'workflow'; input: JsonObject; run: ChatTool['run'] }
  /** Answered without the model. */
  | { kind: 'answer'; text: string }
  /** For the model, which is to know this, too; the name is nearly that of a command. */
  | { kind: 'hint'; text: string }

/** What the desk needs of its session. */
export interface DeskHost {
  readonly sessionId: string
  write(frame: TaskFrame | UserFrame, sent?: (bytes: number) => void): void
  /** A workflow has ended and its terminal frames were written: the model is to hear `text`. */
  ended(end: EndedWorkflow): void
  /** Asks whether a workflow may be launched; absent: nobody is there. */
  mayLaunch?(question: LaunchQuestion): Promise<LaunchAnswer>
  /** Asks whether an agent of a workflow may use a tool that no rule allows; absent: nobody is there. */
  agentPermission?(question: AgentPermissionQuestion): Promise<PermissionAnswer>
  /** Mode of the session now. */
  permissionMode(): string
  /** Rules of the session now; absent: those of the settings. */
  permissionRules?(): PermissionSettings
}

export interface LaunchQuestion {
  toolUseId: string
  input: JsonObject
  workflowName: string
  description: string
  phases: string[]
  /** The whole script, for a person who wants to read it. */
  script: string
  /** Aborted when the answer is of no more use. */
  signal: AbortSignal
}

export interface LaunchAnswer {
  allowed: boolean
  reason?: string
  /** Not to be asked again about this script in this project. */
  remember?: boolean
  /** What is launched instead; it is checked anew, and not asked about again. */
  updatedInput?: JsonObject
}

export interface AgentPermissionQuestion {
  runId: string
  /** Absent when the run ended meanwhile. */
  taskId?: string
  /** The tool use that launched the workflow. */
  workflowToolUseId?: string
  /** Row index and label of the agent. */
  agent: { index: number; label: string }
  toolName: string
  input: JsonObject
  /** Why somebody has to be asked. */
  reason?: string
  /** Aborted when the agent no longer waits: it was ended, or the time is over. */
  signal: AbortSignal
}

export interface EndedWorkflow {
  handle: RunHandle
  end: RunEnd
  toolUseId: string
  /** `<task-notification>…`. */
  text: string
}
