import type { JsonObject, JsonValue } from './json.ts'

export interface CommandInfo {
  name: string
  description: string
  argumentHint: string
}

export interface AgentInfo {
  name: string
  description: string
  model?: string
}

export interface ModelInfo {
  value: string
  displayName: string
  description: string
}

/** Answer to `initialize`. Never holds a token or secret. */
export interface InitializeResponse {
  commands: CommandInfo[]
  agents: AgentInfo[]
  models: ModelInfo[]
  output_style: string
  available_output_styles: string[]
  account: JsonObject
  /** The `x_tutti_*` requests understood, among others. */
  capabilities?: string[]
}

/** Receipt of `interrupt`: what it stops is told by the frames that follow. */
export interface InterruptResponse {
  still_queued: string[]
}

export interface SetPermissionModeResponse {
  mode: string
}

export interface McpServerStatus {
  name: string
  status: string
  [key: string]: JsonValue
}

/** Answer to `mcp_status`. */
export interface McpStatusResponse {
  mcpServers: McpServerStatus[]
}

/** Answer to `mcp_message`, in both directions. */
export interface McpMessageResponse {
  mcp_response: JsonObject
}

/** Host's answer to `can_use_tool`. `updatedInput` absent: unchanged. */
export interface CanUseToolAllow {
  behavior: 'allow'
  updatedInput?: JsonObject
  updatedPermissions?: JsonValue[]
  toolUseID?: string
}

export interface CanUseToolDeny {
  behavior: 'deny'
  message: string
  interrupt?: boolean
  toolUseID?: string
}

/** The same answer in the words of another client family. */
export interface CanUseToolAllowed {
  allowed: boolean
  reason?: string
  updatedInput?: JsonObject
  tool_use_id?: string
}

export type CanUseToolResponse = CanUseToolAllow | CanUseToolDeny | CanUseToolAllowed
