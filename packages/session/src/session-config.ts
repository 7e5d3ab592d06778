import type { JsonObject, McpServerSettings, Settings } from '@tutti/protocol'

/** What flags and settings say about a session before its host has said a word. */
export interface SessionConfig {
  /** Effective settings, those of `--settings` included. */
  settings: Settings
  model?: string
  fallbackModel?: string
  /** default, acceptEdits, plan, dontAsk, bypassPermissions, auto. */
  permissionMode: string
  /** Rules beside those of the settings. */
  allowedTools: string[]
  disallowedTools: string[]
  /** Built-in tools offered; undefined: all. */
  tools?: string[]
  systemPrompt?: string
  appendSystemPrompt?: string
  maxTurns?: number
  maxBudgetUsd?: number
  jsonSchema?: JsonObject
  includePartialMessages: boolean
  includeHookEvents: boolean
  mcpServers: Record<string, McpServerSettings>
  /** Only `mcpServers`; none of the project or the settings. */
  strictMcpConfig: boolean
  /** `stdio`: the host answers `can_use_tool`; another name is a tool that does. */
  permissionPromptTool?: string
  effort?: string
  maxThinkingTokens?: number
  additionalDirectories: string[]
  /** The agent type that answers. */
  agent?: string
  /** `-p`: nobody is there to ask. */
  print: boolean
  /** How long the end waits for workflows that still run; undefined: until they have ended. */
  maxWaitMs?: number
}
