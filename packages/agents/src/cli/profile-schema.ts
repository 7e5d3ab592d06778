import { CAUSES, type JsonValue } from '@tutti/protocol'
import { z } from 'zod'
import type { CliProfile, EventRule } from './profile.ts'

const path = z.string().min(1)
const json: z.ZodType<JsonValue> = z.json()
const cause = z.enum(CAUSES)

const EventRuleSchema: z.ZodType<EventRule> = z.strictObject({
  when: z.record(z.string(), json).optional(),
  each: z.strictObject({ path, rules: z.array(z.lazy(() => EventRuleSchema)) }).optional(),
  session: path.optional(),
  model: path.optional(),
  text: path.optional(),
  whole: z.boolean().optional(),
  final: path.optional(),
  thinking: path.optional(),
  object: path.optional(),
  tool: z.strictObject({ name: path, summary: path.optional() }).optional(),
  toolEnd: path.optional(),
  turn: z.boolean().optional(),
  usage: z
    .strictObject({
      input: path,
      output: path,
      cacheRead: path.optional(),
      cacheWrite: path.optional(),
      inputHasCached: z.boolean().optional(),
      as: z.enum(['sum', 'total']),
    })
    .optional(),
  cost: path.optional(),
  error: z.union([path, z.array(path)]).optional(),
  errorKind: path.optional(),
  cause: cause.optional(),
  done: z.boolean().optional(),
})

/** A profile as the settings may hold it. Unknown fields are refused. */
export const ProfileSchema: z.ZodType<CliProfile> = z.strictObject({
  command: z.string(),
  args: z.array(z.union([z.string(), z.array(z.string())])),
  env: z.record(z.string(), z.string()).optional(),
  files: z.record(z.string(), json).optional(),
  prompt: z.enum(['stdin', 'argument']),
  output: z.enum(['jsonl', 'json', 'text']),
  events: z.array(EventRuleSchema).optional(),
  schema: z.enum(['native', 'strict', 'mcp', 'text']),
  exitCodes: z.record(z.string(), cause).optional(),
  maxTurns: z.enum(['own', 'counted']).optional(),
  typeModels: z.boolean().optional(),
  version: z.array(z.string()).optional(),
  keys: z.array(z.string()).optional(),
})
