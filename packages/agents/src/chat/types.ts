import type {
  Cause,
  ContentBlock,
  JsonObject,
  JsonValue,
  McpServerSettings,
  PermissionSettings,
  TokenUsage,
} from '@tutti/protocol'

/**
 * A conversation of many turns with a model that may use tools: what the user of a session talks to. Messages
 * have the shape of the Anthropic Messages API whatever the endpoint speaks, so they are also the transcript.
 */
export interface Chat {
  /** Answers one message. Never rejects; the next turn may begin only when this one has ended. */
  turn(message: ChatMessage, stage: TurnStage): Promise<TurnEnd>
  /** Adds what was said outside of a turn, such as a slash command and its result. */
  append(...messages: ChatMessage[]): void
  /** Holds from the next request to the model on. Throws WorkflowInputError for rules that cannot be read. */
  configure(change: Partial<ChatConfig>): void
  readonly config: Readonly<ChatConfig>
  /** All that was said, oldest first. */
  readonly messages: readonly ChatMessage[]
  /** Names of the tools that the model is told of now. */
  toolNames(): Promise<string[]>
  /** Servers of tools that run on our side, by name. */
  mcpServers(): Promise<ChatServer[]>
  /**
   * Servers beside those of the workspace, which they replace by name; those that were set before and are not named end.
   * Their tools are offered from the next request on. Resolves when each new one is connected or has failed.
   */
  setServers(servers: Readonly<Record<string, McpServerSettings>>): Promise<ChangedServers>
  /** Rejects when there is no such server, or it does not answer. */
  reconnectServer(name: string): Promise<void>
  /** A server that is switched off ends, and its tools are not offered. Rejects when there is no such server. */
  toggleServer(name: string, on: boolean): Promise<void>
  /** Id of the model that the next request goes to; undefined when none is configured. */
  readonly modelId: string | undefined
  close(): Promise<void>
}

export interface ChatServer {
  name: string
  status: 'connected' | 'failed' | 'pending' | 'disabled'
  /** Why it has failed. */
  error?: string
  /** Of one that is connected. */
  tools?: { name: string; description: string }[]
}

export interface ChangedServers {
  /** New ones, and those whose settings have changed. */
  added: string[]
  removed: string[]
  /** Why new ones could not be connected, by name. */
  errors: Record<string, string>
}

export interface ChatMessage {
  role: 'user' | 'assistant'
  content: string | ContentBlock[]
}

export interface ChatConfig {
  /** Alias or id; undefined: the endpoint's default. */
  model?: string
  /** Alias or id; asked for the rest of a turn when the model is overloaded. */
  fallbackModel?: string
  effort?: string
  /** 0: none; undefined: as the model does by itself. */
  thinkingTokens?: number
  /** Replaces the standard one; an empty text is an empty prompt. */
  systemPrompt?: string
  appendSystemPrompt?: string
  permissions: PermissionSettings
  /** Names of built-in tools; undefined: all. */
  tools?: string[]
  /** Tools beside the built-in ones. */
  extraTools: ChatTool[]
  /** Model answers in one turn. */
  maxTurns?: number
  /** US dollars over the whole chat; a request is not begun when they are spent. */
  maxBudgetUsd?: number
  /** The turn must end with an object of this schema. */
  jsonSchema?: JsonObject
}

/** A tool that somebody else performs. */
export interface ChatTool {
  name: string
  /** Further names that a model may call it by; it is not told of them. */
  aliases?: readonly string[]
  description: string
  inputSchema: JsonObject
  /** Changes nothing: needs no permission. */
  readOnly: boolean
  /** The tool asks for itself what must be asked; rules and modes are not applied. */
  decidesItself?: boolean
  /** It hears `signal` and ends soon, so its result is waited for when the turn is stopped. */
  endsItself?: boolean
  run(input: JsonObject, use: ToolUse): Promise<ChatToolResult>
}

export interface ToolUse {
  toolUseId: string
  signal: AbortSignal
  /** A hook has allowed it: a tool that decides itself need not ask, but for what its rules say. */
  allowed?: boolean
  /** A hook wants somebody to be asked: a tool that decides itself asks, whatever else allows it. */
  mustAsk?: boolean
}

export interface ChatToolResult {
  content: string | ContentBlock[]
  failed?: boolean
  /** A tool that decides itself was not allowed to; counts among the denials of the turn. */
  denied?: boolean
  /** For programs: `tool_use_result` of the frame. */
  structured?: JsonValue
}

/** What a turn tells and asks while it runs. */
export interface TurnStage {
  signal: AbortSignal
  emit(event: ChatEvent): void
  /** `false`: no `stream` events are made. */
  streamEvents?: boolean
  /** Asked where rules and mode leave it open. Absent: nobody is there, so it is denied. */
  permission?(question: ChatPermissionQuestion): Promise<ChatPermissionAnswer>
  /** Heard before each use of a tool, ahead of rules and mode. */
  beforeTool?(use: HookedUse): Promise<BeforeToolRuling>
  /** Heard after each use; a text is added to what the model is told. */
  afterTool?(use: HookedUse & { result: ChatToolResult }): Promise<{ additionalContext?: string }>
}

export interface HookedUse {
  toolName: string
  toolUseId: string
  input: JsonObject
}

export interface BeforeToolRuling {
  /** Absent: rules and mode decide. */
  decision?: 'allow' | 'deny' | 'ask'
  reason?: string
  updatedInput?: JsonObject
  additionalContext?: string
  /** The turn ends. */
  stop?: boolean
}

export interface ChatPermissionQuestion extends HookedUse {
  reason: string
  /** Aborted when the answer is of no more use. */
  signal: AbortSignal
}

export type ChatPermissionAnswer =
  | { allowed: true; updatedInput?: JsonObject; updatedPermissions?: JsonValue[] }
  /** `interrupt`: the turn ends. */
  | { allowed: false; reason: string; interrupt?: boolean }

export type ChatEvent =
  /** One complete answer of the model. */
  | { type: 'assistant'; message: ChatAssistantMessage }
  | { type: 'tool_result'; toolUseId: string; toolName: string; result: ChatToolResult }
  /** A piece of an answer, as an event of the Messages API. */
  | { type: 'stream'; event: JsonObject }
  /** A request is sent again, after so many milliseconds. */
  | { type: 'retry'; cause: Cause; attempt: number; delayMs: number }

/** An answer in the shape of the Messages API. */
export interface ChatAssistantMessage {
  id: string
  type: 'message'
  role: 'assistant'
  model: string
  content: ContentBlock[]
  stop_reason: string | null
  stop_sequence: null
  /** `input_tokens`, `output_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`. */
  usage: JsonObject
}

export type TurnOutcome =
  | 'success'
  | 'interrupted'
  | 'error_during_execution'
  | 'error_max_turns'
  | 'error_max_budget_usd'
  | 'error_max_structured_output_retries'

export interface TurnEnd {
  outcome: TurnOutcome
  /** The last text of the model. */
  text: string
  structuredOutput?: JsonValue
  stopReason: string | null
  /** Why it failed. No secret stands in it. */
  cause?: Cause
  errors: string[]
  /** Answers of the model. */
  answers: number
  /** Time in requests to the model. */
  apiMs: number
  /** By model id. */
  usage: Record<string, TurnUsage>
  denials: { tool_name: string; tool_use_id: string; tool_input: JsonObject }[]
}

export interface TurnUsage extends TokenUsage {
  /** Null when the price of the model is not known. */
  costUsd: number | null
}
