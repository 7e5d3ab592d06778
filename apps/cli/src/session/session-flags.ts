import type { DialectSetting } from '@tutti/protocol'

export type InputFormat = 'text' | 'stream-json'
export type OutputFormat = 'text' | 'json' | 'stream-json'
export type SettingSource = 'user' | 'project' | 'local'

/** The flags of a session with values that can be used. Files they name have not been read. */
export interface SessionFlags {
  /** The words that belong to no flag. */
  prompt?: string
  print: boolean
  inputFormat: InputFormat
  outputFormat: OutputFormat
  /** `--input-format` or `--output-format` was given. */
  formatGiven: boolean
  verbose: boolean
  includePartialMessages: boolean
  includeHookEvents: boolean
  replayUserMessages: boolean
  dialect?: DialectSetting
  maxWaitMs?: number

  model?: string
  fallbackModel?: string
  effort?: string
  maxThinkingTokens?: number
  systemPrompt?: string
  systemPromptFile?: string
  appendSystemPrompt?: string
  appendSystemPromptFile?: string
  maxTurns?: number
  maxBudgetUsd?: number
  /** JSON or a file. */
  jsonSchema?: string
  agent?: string
  /** JSON or a file. */
  agents?: string
  /** What runs the agents of workflows. */
  backend?: string

  permissionMode?: string
  permissionPromptTool?: string
  /** Nobody answers questions, whatever else says. */
  noPermissionPrompts: boolean
  allowedTools: string[]
  disallowedTools: string[]
  /** Undefined: all. */
  tools?: string[]
  addDirs: string[]
  /** Each JSON or a file. */
  mcpConfig: string[]
  strictMcpConfig: boolean
  settings?: string
  /** Undefined: all of them. */
  settingSources?: SettingSource[]
  trustProject: boolean
  allowShell: boolean

  /** True: the latest. */
  resume?: string | true
  sessionId?: string
  forkSession: boolean
  resumeSessionAt?: string
  persistence: boolean

  help: boolean
  version: boolean
  /** What to know about the flags that were given. */
  notes: string[]
}
