export { createGovernor } from '../governor/governor.ts'
export type { Governor } from '../governor/governor.ts'
export { mcpChoiceOf } from '../mcp/choice-of-settings.ts'
export type { McpChoice } from '../mcp/servers.ts'
export { configuredEndpoint } from '../model/endpoint.ts'
export type { Endpoint, Wire } from '../model/endpoint.ts'
export type { Workspace } from '../tools/workshop.ts'
export { createChat } from './create-chat.ts'
export type { ChatOptions } from './options.ts'
export type {
  BeforeToolRuling,
  ChangedServers,
  Chat,
  ChatAssistantMessage,
  ChatConfig,
  ChatEvent,
  ChatMessage,
  ChatPermissionAnswer,
  ChatPermissionQuestion,
  ChatServer,
  ChatTool,
  ChatToolResult,
  HookedUse,
  ToolUse,
  TurnEnd,
  TurnOutcome,
  TurnStage,
  TurnUsage,
} from './types.ts'
