import type { JsonObject, JsonValue } from './json.ts'
import type { ProgressRow } from './progress.ts'
import type { RunStatus } from './record.ts'
import type { TaskUsage } from './usage.ts'

/** On every frame of stdout but control frames. */
export interface FrameStamp {
  uuid: string
  session_id: string
}

export interface TaskStartedFrame extends FrameStamp {
  type: 'system'
  subtype: 'task_started'
  task_id: string
  tool_use_id?: string
  task_type: string
  /** `meta.name`; `path:<basename>` for a script started by path. */
  workflow_name?: string
  description: string
  /** The script; only in dialect `claude-code`. */
  prompt?: string
}

export interface TaskProgressFrame extends FrameStamp {
  type: 'system'
  subtype: 'task_progress'
  task_id: string
  tool_use_id?: string
  description: string
  usage: TaskUsage
  /** A full snapshot that replaces the last one of this task; left out when nothing changed, never empty. */
  workflow_progress?: ProgressRow[]
  last_tool_name?: string
}

export interface TaskPatch {
  status: RunStatus
  /** Milliseconds since the epoch, in every terminal one. */
  end_time?: number
  error?: string
}

export interface TaskUpdatedFrame extends FrameStamp {
  type: 'system'
  subtype: 'task_updated'
  task_id: string
  patch: TaskPatch
}

export type NotificationStatus = 'completed' | 'failed' | 'stopped'

export const NOTIFICATION_STATUSES = ['completed', 'failed', 'stopped'] as const

/** Exactly one per task, after its `task_updated`: the authority on the end. */
export interface TaskNotificationFrame extends FrameStamp {
  type: 'system'
  subtype: 'task_notification'
  task_id: string
  tool_use_id?: string
  status: NotificationStatus
  summary: string
  output_file: string
  usage: TaskUsage
}

export interface BackgroundTasksChangedFrame extends FrameStamp {
  type: 'system'
  subtype: 'background_tasks_changed'
  /** The full set of what runs now. */
  tasks: BackgroundTask[]
}

/** A task that runs beside the turn. */
export interface BackgroundTask {
  task_id: string
  task_type: string
  description: string
}

export interface InitFrame extends FrameStamp {
  type: 'system'
  subtype: 'init'
  cwd: string
  tools: string[]
  model: string
  permissionMode: string
  mcp_servers: { name: string; status: string }[]
  slash_commands: string[]
  skills: string[]
  agents: string[]
  plugins: JsonValue[]
  output_style: string
  apiKeySource: string
  /** The protocol revision spoken. */
  claude_code_version: string
  capabilities?: string[]
}

/** A content block of a message; blocks of unknown type are kept. */
export interface ContentBlock {
  type: string
  [key: string]: JsonValue
}

export interface AssistantFrame extends FrameStamp {
  type: 'assistant'
  message: JsonObject
  parent_tool_use_id: string | null
  error?: string
}

/** On stdin `session_id`, `uuid` and `parent_tool_use_id` may be absent. */
export interface UserFrame {
  type: 'user'
  message: { role: 'user'; content: string | ContentBlock[] }
  session_id?: string
  uuid?: string
  parent_tool_use_id?: string | null
  /** The structured result of a tool. */
  tool_use_result?: JsonValue
  isSynthetic?: boolean
  origin?: { kind: string }
  priority?: string
}

export interface ResultFrame extends FrameStamp {
  type: 'result'
  subtype: string
  is_error: boolean
  duration_ms: number
  duration_api_ms: number
  num_turns: number
  result?: string
  stop_reason?: string | null
  total_cost_usd: number
  usage: JsonObject
  modelUsage: JsonObject
  permission_denials: JsonValue[]
  structured_output?: JsonValue
  errors?: string[]
  origin?: { kind: string }
}

export interface StreamEventFrame extends FrameStamp {
  type: 'stream_event'
  event: JsonObject
  parent_tool_use_id: string | null
}

export interface KeepAliveFrame {
  type: 'keep_alive'
  uuid?: string
  session_id?: string
}

/** A frame of a type, or a `system` subtype, that this version does not know: kept, passed on, ignored. */
export interface UnknownFrame {
  type: string
  [key: string]: JsonValue
}

export const TASK_SUBTYPES = [
  'task_started',
  'task_progress',
  'task_updated',
  'task_notification',
  'background_tasks_changed',
] as const

/** The `system` frames of tasks. */
export type TaskFrame =
  | TaskStartedFrame
  | TaskProgressFrame
  | TaskUpdatedFrame
  | TaskNotificationFrame
  | BackgroundTasksChangedFrame
