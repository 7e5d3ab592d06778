import type { JsonObject } from './json.ts'
import type { RunLimits } from './record.ts'

export interface PermissionSettings {
  allow?: string[]
  ask?: string[]
  deny?: string[]
  defaultMode?: string
}

export type BackendKind = 'model' | 'simulate' | 'shell' | 'scripted' | 'cli' | 'acp'

export interface BackendSettings {
  kind: BackendKind
  command?: string
  args?: string[]
  env?: Record<string, string>
  model?: string
  /** Of `cli`: how the command is run, by the name of a known product or as data. */
  profile?: string | JsonObject
}

/** A server of tools: a command to talk to over its standard streams, or an address. */
export interface McpServerSettings {
  /** Default: `http` with a `url`, else `stdio`. */
  type?: 'stdio' | 'http' | 'sse'
  command?: string
  args?: string[]
  env?: Record<string, string>
  url?: string
  headers?: Record<string, string>
}

/** Price of a model in US dollars per million tokens. */
export interface ModelPrice {
  input: number
  output: number
  cacheRead?: number
  cacheWrite?: number
}

/** How commands of agents are confined. */
export interface SandboxSettings {
  /** Default `off`. `auto`: where it can be; `required`: or not at all. */
  mode?: 'off' | 'auto' | 'required'
  /** Confined commands reach the network. Default false. */
  network?: boolean
}

/** The keys under `tutti`. */
export interface TuttiSettings {
  backend?: string
  backends?: Record<string, BackendSettings>
  /** Alias → model id. */
  models?: Record<string, string>
  concurrency?: number
  limits?: Partial<RunLimits>
  stallMs?: number
  timeoutMs?: number
  retries?: number
  prefixStaggerMs?: number
  layout?: 'session' | 'claude-code'
  cache?: 'auto' | 'content' | 'never'
  dialect?: DialectSetting
  prices?: Record<string, ModelPrice>
  notify?: JsonObject
  sandbox?: SandboxSettings
  /** Folders whose projects may do all that settings can do; of the user's own settings only. */
  trustedProjects?: string[]
}

export type DialectSetting = 'auto' | 'codebuddy' | 'claude-code'

/** A settings file. Keys that others wrote are kept and ignored. */
export interface Settings {
  env?: Record<string, string>
  model?: string
  permissions?: PermissionSettings
  mcpServers?: Record<string, McpServerSettings>
  /** Servers of the project's `.mcp.json` that may be used. */
  enabledMcpjsonServers?: string[]
  disabledMcpjsonServers?: string[]
  enableAllProjectMcpServers?: boolean
  disableWorkflows?: boolean
  enableWorkflows?: boolean
  workflowSizeGuideline?: string | number
  ultracode?: boolean
  cleanupPeriodDays?: number
  tutti?: TuttiSettings
}
