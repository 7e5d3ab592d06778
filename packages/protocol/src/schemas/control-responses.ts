import { z } from 'zod'
import type {
  AgentInfo,
  CanUseToolAllow,
  CanUseToolAllowed,
  CanUseToolDeny,
  CanUseToolResponse,
  CommandInfo,
  InitializeResponse,
  InterruptResponse,
  McpMessageResponse,
  McpServerStatus,
  McpStatusResponse,
  ModelInfo,
  SetPermissionModeResponse,
} from '../control-responses.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { objectOf } from './object-of.ts'

export const CommandInfoSchema: z.ZodType<CommandInfo> = objectOf<CommandInfo>()({
  name: z.string(),
  description: z.string(),
  argumentHint: z.string(),
})

export const AgentInfoSchema: z.ZodType<AgentInfo> = objectOf<AgentInfo>()({
  name: z.string(),
  description: z.string(),
  model: z.string().optional(),
})

export const ModelInfoSchema: z.ZodType<ModelInfo> = objectOf<ModelInfo>()({
  value: z.string(),
  displayName: z.string(),
  description: z.string(),
})

export const InitializeResponseSchema: z.ZodType<InitializeResponse> = objectOf<InitializeResponse>()({
  commands: z.array(CommandInfoSchema),
  agents: z.array(AgentInfoSchema),
  models: z.array(ModelInfoSchema),
  output_style: z.string(),
  available_output_styles: z.array(z.string()),
  account: JsonObjectSchema,
  capabilities: z.array(z.string()).optional(),
})

export const InterruptResponseSchema: z.ZodType<InterruptResponse> = objectOf<InterruptResponse>()({
  still_queued: z.array(z.string()),
})

export const SetPermissionModeResponseSchema: z.ZodType<SetPermissionModeResponse> =
  objectOf<SetPermissionModeResponse>()({ mode: z.string() })

export const McpServerStatusSchema: z.ZodType<McpServerStatus> = objectOf<McpServerStatus>()({
  name: z.string(),
  status: z.string(),
}).catchall(JsonValueSchema)

export const McpStatusResponseSchema: z.ZodType<McpStatusResponse> = objectOf<McpStatusResponse>()({
  mcpServers: z.array(McpServerStatusSchema),
})

export const McpMessageResponseSchema: z.ZodType<McpMessageResponse> = objectOf<McpMessageResponse>()({
  mcp_response: JsonObjectSchema,
})

export const CanUseToolAllowSchema: z.ZodType<CanUseToolAllow> = objectOf<CanUseToolAllow>()({
  behavior: z.literal('allow'),
  updatedInput: JsonObjectSchema.optional(),
  updatedPermissions: z.array(JsonValueSchema).optional(),
  toolUseID: z.string().optional(),
})

export const CanUseToolDenySchema: z.ZodType<CanUseToolDeny> = objectOf<CanUseToolDeny>()({
  behavior: z.literal('deny'),
  message: z.string(),
  interrupt: z.boolean().optional(),
  toolUseID: z.string().optional(),
})

export const CanUseToolAllowedSchema: z.ZodType<CanUseToolAllowed> = objectOf<CanUseToolAllowed>()({
  allowed: z.boolean(),
  reason: z.string().optional(),
  updatedInput: JsonObjectSchema.optional(),
  tool_use_id: z.string().optional(),
})

export const CanUseToolResponseSchema: z.ZodType<CanUseToolResponse> = z.union([
  CanUseToolAllowSchema,
  CanUseToolDenySchema,
  CanUseToolAllowedSchema,
])
