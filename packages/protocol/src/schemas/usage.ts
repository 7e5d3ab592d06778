import { z } from 'zod'
import type { AgentUsage, Census, RunUsage, TaskUsage, TokenUsage } from '../usage.ts'
import { objectOf } from './object-of.ts'

const count = z.number().min(0)

const tokens = {
  input: count,
  output: count,
  cacheRead: count,
  cacheWrite: count,
  reasoning: count.optional(),
}

export const TokenUsageSchema: z.ZodType<TokenUsage> = objectOf<TokenUsage>()(tokens)

export const AgentUsageSchema: z.ZodType<AgentUsage> = objectOf<AgentUsage>()({
  ...tokens,
  toolUses: count,
  durationMs: count,
  costUsd: count.nullable().optional(),
  exact: z.boolean().optional(),
})

export const RunUsageSchema: z.ZodType<RunUsage> = objectOf<RunUsage>()({
  ...tokens,
  toolUses: count,
  durationMs: count,
  costUsd: count.nullable().optional(),
})

export const TaskUsageSchema: z.ZodType<TaskUsage> = objectOf<TaskUsage>()({
  total_tokens: count,
  tool_uses: count,
  duration_ms: count,
})

export const CensusSchema: z.ZodType<Census> = objectOf<Census>()({
  total: count,
  ok: count,
  cached: count,
  failed: count,
  stopped: count,
  skipped: count,
})
