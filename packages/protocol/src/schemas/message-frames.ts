import { z } from 'zod'
import type {
  AssistantFrame,
  ContentBlock,
  FrameStamp,
  InitFrame,
  KeepAliveFrame,
  ResultFrame,
  StreamEventFrame,
  UserFrame,
} from '../frames.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { objectOf } from './object-of.ts'

const stamp = { uuid: z.string(), session_id: z.string() }

export const FrameStampSchema: z.ZodType<FrameStamp> = objectOf<FrameStamp>()(stamp)

export const InitFrameSchema: z.ZodType<InitFrame> = objectOf<InitFrame>()({
  ...stamp,
  type: z.literal('system'),
  subtype: z.literal('init'),
  cwd: z.string(),
  tools: z.array(z.string()),
  model: z.string(),
  permissionMode: z.string(),
  mcp_servers: z.array(
    objectOf<InitFrame['mcp_servers'][number]>()({ name: z.string(), status: z.string() }),
  ),
  slash_commands: z.array(z.string()),
  skills: z.array(z.string()),
  agents: z.array(z.string()),
  plugins: z.array(JsonValueSchema),
  output_style: z.string(),
  apiKeySource: z.string(),
  claude_code_version: z.string(),
  capabilities: z.array(z.string()).optional(),
})

export const ContentBlockSchema: z.ZodType<ContentBlock> = objectOf<ContentBlock>()({
  type: z.string(),
}).catchall(JsonValueSchema)

export const AssistantFrameSchema: z.ZodType<AssistantFrame> = objectOf<AssistantFrame>()({
  ...stamp,
  type: z.literal('assistant'),
  message: JsonObjectSchema,
  parent_tool_use_id: z.string().nullable(),
  error: z.string().optional(),
})

const origin = objectOf<{ kind: string }>()({ kind: z.string() })

const user = objectOf<UserFrame>()({
  type: z.literal('user'),
  message: objectOf<UserFrame['message']>()({
    role: z.literal('user'),
    content: z.union([z.string(), z.array(ContentBlockSchema)]),
  }),
  session_id: z.string().optional(),
  uuid: z.string().optional(),
  parent_tool_use_id: z.string().nullable().optional(),
  tool_use_result: JsonValueSchema.optional(),
  isSynthetic: z.boolean().optional(),
  origin: origin.optional(),
  priority: z.string().optional(),
})

export const UserFrameSchema: z.ZodType<UserFrame> = user

/** A user frame as a session writes it: with its stamp. */
export const StampedUserFrameSchema: z.ZodType<UserFrame & FrameStamp> = user.extend(stamp)

export const ResultFrameSchema: z.ZodType<ResultFrame> = objectOf<ResultFrame>()({
  ...stamp,
  type: z.literal('result'),
  subtype: z.string(),
  is_error: z.boolean(),
  duration_ms: z.number(),
  duration_api_ms: z.number(),
  num_turns: z.number(),
  result: z.string().optional(),
  stop_reason: z.string().nullable().optional(),
  total_cost_usd: z.number(),
  usage: JsonObjectSchema,
  modelUsage: JsonObjectSchema,
  permission_denials: z.array(JsonValueSchema),
  structured_output: JsonValueSchema.optional(),
  errors: z.array(z.string()).optional(),
  origin: origin.optional(),
})

export const StreamEventFrameSchema: z.ZodType<StreamEventFrame> = objectOf<StreamEventFrame>()({
  ...stamp,
  type: z.literal('stream_event'),
  event: JsonObjectSchema,
  parent_tool_use_id: z.string().nullable(),
})

export const KeepAliveFrameSchema: z.ZodType<KeepAliveFrame> = objectOf<KeepAliveFrame>()({
  type: z.literal('keep_alive'),
  uuid: z.string().optional(),
  session_id: z.string().optional(),
})
