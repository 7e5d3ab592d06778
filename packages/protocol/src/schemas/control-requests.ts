import { z } from 'zod'
import type {
  AgentRequest,
  AnswerRequest,
  CanUseToolRequest,
  ControlRequest,
  HookCallbackRequest,
  InitializeRequest,
  InterruptRequest,
  McpMessageRequest,
  PlainRequest,
  RaiseLimitsRequest,
  SetMaxThinkingTokensRequest,
  SetModelRequest,
  SetPermissionModeRequest,
  StopTaskRequest,
  TaskRequest,
} from '../control.ts'
import { CONTROL_SUBTYPES, PLAIN_SUBTYPES } from '../control.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { objectOf } from './object-of.ts'
import { openUnion } from './open-union.ts'

export const InitializeRequestSchema: z.ZodType<InitializeRequest> = objectOf<InitializeRequest>()({
  subtype: z.literal('initialize'),
  hooks: JsonObjectSchema.optional(),
  sdkMcpServers: z.array(z.string()).optional(),
  systemPrompt: z.union([z.string(), z.array(z.string())]).optional(),
  appendSystemPrompt: z.string().optional(),
  agents: JsonObjectSchema.optional(),
  jsonSchema: JsonObjectSchema.optional(),
  hasPrompt: z.boolean().optional(),
  perTaskStopAffordance: z.boolean().optional(),
}).catchall(JsonValueSchema)

export const InterruptRequestSchema: z.ZodType<InterruptRequest> = objectOf<InterruptRequest>()({
  subtype: z.literal('interrupt'),
  session_id: z.string().optional(),
  reason: z.string().optional(),
})

export const StopTaskRequestSchema: z.ZodType<StopTaskRequest> = objectOf<StopTaskRequest>()({
  subtype: z.literal('stop_task'),
  task_id: z.string(),
})

export const SetPermissionModeRequestSchema: z.ZodType<SetPermissionModeRequest> =
  objectOf<SetPermissionModeRequest>()({ subtype: z.literal('set_permission_mode'), mode: z.string() })

export const SetModelRequestSchema: z.ZodType<SetModelRequest> = objectOf<SetModelRequest>()({
  subtype: z.literal('set_model'),
  model: z.string().optional(),
})

export const SetMaxThinkingTokensRequestSchema: z.ZodType<SetMaxThinkingTokensRequest> =
  objectOf<SetMaxThinkingTokensRequest>()({
    subtype: z.literal('set_max_thinking_tokens'),
    max_thinking_tokens: z.number().nullable(),
  })

export const McpMessageRequestSchema: z.ZodType<McpMessageRequest> = objectOf<McpMessageRequest>()({
  subtype: z.literal('mcp_message'),
  server_name: z.string(),
  message: JsonObjectSchema,
})

export const CanUseToolRequestSchema: z.ZodType<CanUseToolRequest> = objectOf<CanUseToolRequest>()({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  input: JsonObjectSchema,
  tool_use_id: z.string(),
  permission_suggestions: z.array(JsonValueSchema).optional(),
})

export const HookCallbackRequestSchema: z.ZodType<HookCallbackRequest> = objectOf<HookCallbackRequest>()({
  subtype: z.literal('hook_callback'),
  callback_id: z.string(),
  input: JsonObjectSchema,
  tool_use_id: z.string().optional(),
})

export const TaskRequestSchema: z.ZodType<TaskRequest> = objectOf<TaskRequest>()({
  subtype: z.enum(['x_tutti_pause_task', 'x_tutti_resume_task', 'x_tutti_task_state']),
  task_id: z.string(),
})

export const AgentRequestSchema: z.ZodType<AgentRequest> = objectOf<AgentRequest>()({
  subtype: z.enum(['x_tutti_skip_agent', 'x_tutti_retry_agent']),
  task_id: z.string(),
  agent: z.union([z.string(), z.int().min(1)]),
  continue: z.boolean().optional(),
})

export const AnswerRequestSchema: z.ZodType<AnswerRequest> = objectOf<AnswerRequest>()({
  subtype: z.literal('x_tutti_answer'),
  task_id: z.string(),
  ask_id: z.string(),
  value: JsonValueSchema,
})

export const RaiseLimitsRequestSchema: z.ZodType<RaiseLimitsRequest> = objectOf<RaiseLimitsRequest>()({
  subtype: z.literal('x_tutti_raise_limits'),
  task_id: z.string(),
  limits: JsonObjectSchema,
})

export const PlainRequestSchema: z.ZodType<PlainRequest> = objectOf<PlainRequest>()({
  subtype: z.enum(PLAIN_SUBTYPES),
}).catchall(JsonValueSchema)

/** Requests of unknown subtype pass, so that they can be answered with an error that names it. */
export const ControlRequestSchema: z.ZodType<ControlRequest> = openUnion<ControlRequest>({
  tag: 'subtype',
  known: CONTROL_SUBTYPES,
  variants: [
    InitializeRequestSchema,
    InterruptRequestSchema,
    StopTaskRequestSchema,
    SetPermissionModeRequestSchema,
    SetModelRequestSchema,
    SetMaxThinkingTokensRequestSchema,
    McpMessageRequestSchema,
    CanUseToolRequestSchema,
    HookCallbackRequestSchema,
    TaskRequestSchema,
    AgentRequestSchema,
    AnswerRequestSchema,
    RaiseLimitsRequestSchema,
    PlainRequestSchema,
  ],
})
