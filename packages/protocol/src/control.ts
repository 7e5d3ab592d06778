import type {
  AssistantFrame,
  InitFrame,
  KeepAliveFrame,
  ResultFrame,
  StreamEventFrame,
  TaskFrame,
  UserFrame,
} from './frames.ts'
import type { JsonObject, JsonValue } from './json.ts'

/** A question in either direction; answered exactly once. `request.subtype` says which. */
export interface ControlRequestFrame {
  type: 'control_request'
  request_id: string
  request: ControlRequest
}

export interface ControlResponseFrame {
  type: 'control_response'
  response: ControlSuccess | ControlFailure
}

export interface ControlSuccess {
  subtype: 'success'
  request_id: string
  response?: JsonObject
}

export interface ControlFailure {
  subtype: 'error'
  request_id: string
  error: string
}

export interface ControlCancelFrame {
  type: 'control_cancel_request'
  request_id: string
}

/** Host → session. */
export interface InitializeRequest {
  subtype: 'initialize'
  hooks?: JsonObject
  sdkMcpServers?: string[]
  systemPrompt?: string | string[]
  appendSystemPrompt?: string
  agents?: JsonObject
  jsonSchema?: JsonObject
  /** False: no first message follows; sent by one client family, which ends at its first `result`. */
  hasPrompt?: boolean
  /** The host has a way to stop one task, so `interrupt` stops the turn only. */
  perTaskStopAffordance?: boolean
  [key: string]: JsonValue | undefined
}

/** Stops the turn, every workflow of the session and its agents. */
export interface InterruptRequest {
  subtype: 'interrupt'
  session_id?: string
  reason?: string
}

export interface StopTaskRequest {
  subtype: 'stop_task'
  task_id: string
}

export interface SetPermissionModeRequest {
  subtype: 'set_permission_mode'
  mode: string
}

export interface SetModelRequest {
  subtype: 'set_model'
  model?: string
}

export interface SetMaxThinkingTokensRequest {
  subtype: 'set_max_thinking_tokens'
  max_thinking_tokens: number | null
}

export interface McpMessageRequest {
  subtype: 'mcp_message'
  server_name: string
  message: JsonObject
}

/** Session → host: may the agent use this tool? */
export interface CanUseToolRequest {
  subtype: 'can_use_tool'
  tool_name: string
  input: JsonObject
  tool_use_id: string
  permission_suggestions?: JsonValue[]
}

/** Session → host: run one of the host's hooks. */
export interface HookCallbackRequest {
  subtype: 'hook_callback'
  callback_id: string
  input: JsonObject
  tool_use_id?: string
}

/** Tutti's own requests about one task. */
export interface TaskRequest {
  subtype: 'x_tutti_pause_task' | 'x_tutti_resume_task' | 'x_tutti_task_state'
  task_id: string
}

/** Tutti's own requests about one agent of a task, named by label or row index. */
export interface AgentRequest {
  subtype: 'x_tutti_skip_agent' | 'x_tutti_retry_agent'
  task_id: string
  agent: string | number
  /** Of a retry: go on with the agent's conversation, where that can be continued. */
  continue?: boolean
}

export interface AnswerRequest {
  subtype: 'x_tutti_answer'
  task_id: string
  ask_id: string
  value: JsonValue
}

export interface RaiseLimitsRequest {
  subtype: 'x_tutti_raise_limits'
  task_id: string
  limits: JsonObject
}

export const PLAIN_SUBTYPES = [
  'get_settings',
  'apply_flag_settings',
  'mcp_status',
  'mcp_set_servers',
  'list_models',
  'background_tasks',
  'get_context_usage',
] as const

/** Requests without fields of their own that this package describes. */
export interface PlainRequest {
  subtype: (typeof PLAIN_SUBTYPES)[number]
  [key: string]: JsonValue | undefined
}

export type ControlRequest =
  | InitializeRequest
  | InterruptRequest
  | StopTaskRequest
  | SetPermissionModeRequest
  | SetModelRequest
  | SetMaxThinkingTokensRequest
  | McpMessageRequest
  | CanUseToolRequest
  | HookCallbackRequest
  | TaskRequest
  | AgentRequest
  | AnswerRequest
  | RaiseLimitsRequest
  | PlainRequest

/** Every request this version knows, in either direction. */
export const CONTROL_SUBTYPES = [
  'initialize',
  'interrupt',
  'stop_task',
  'set_permission_mode',
  'set_model',
  'set_max_thinking_tokens',
  'mcp_message',
  'can_use_tool',
  'hook_callback',
  'x_tutti_pause_task',
  'x_tutti_resume_task',
  'x_tutti_task_state',
  'x_tutti_skip_agent',
  'x_tutti_retry_agent',
  'x_tutti_answer',
  'x_tutti_raise_limits',
  'get_settings',
  'apply_flag_settings',
  'mcp_status',
  'mcp_set_servers',
  'list_models',
  'background_tasks',
  'get_context_usage',
] as const

/** A line a session writes. */
export type OutFrame =
  | InitFrame
  | TaskFrame
  | AssistantFrame
  | UserFrame
  | ResultFrame
  | StreamEventFrame
  | ControlRequestFrame
  | ControlResponseFrame
  | ControlCancelFrame
  | KeepAliveFrame

/** A line a session reads. */
export type InFrame =
  | UserFrame
  | ControlRequestFrame
  | ControlResponseFrame
  | ControlCancelFrame
  | KeepAliveFrame

export const IN_FRAME_TYPES = [
  'control_request',
  'control_response',
  'control_cancel_request',
  'user',
  'keep_alive',
] as const

export const OUT_FRAME_TYPES = [
  'system',
  'assistant',
  'user',
  'result',
  'stream_event',
  'control_response',
  'control_request',
  'control_cancel_request',
  'keep_alive',
] as const
