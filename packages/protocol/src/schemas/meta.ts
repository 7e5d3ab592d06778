import { z } from 'zod'
import type { PhaseBudget, PhaseMeta, WorkflowMeta } from '../meta.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { objectOf } from './object-of.ts'

const amount = z.number().min(0)

export const PhaseBudgetSchema: z.ZodType<PhaseBudget> = objectOf<PhaseBudget>()({
  outputTokens: amount.optional(),
  tokens: amount.optional(),
  costUsd: amount.optional(),
  wallMs: amount.optional(),
})

export const PhaseMetaSchema: z.ZodType<PhaseMeta> = objectOf<PhaseMeta>()({
  title: z.string().min(1),
  detail: z.string().optional(),
  model: z.string().optional(),
  budget: PhaseBudgetSchema.optional(),
})

export const WorkflowMetaSchema: z.ZodType<WorkflowMeta> = objectOf<WorkflowMeta>()({
  name: z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/, '1–64 of A-Z a-z 0-9 . _ -, not . or ..'),
  description: z.string().min(1),
  whenToUse: z.string().optional(),
  phases: z.array(PhaseMetaSchema).optional(),
  model: z.string().optional(),
  args: JsonObjectSchema.optional(),
}).catchall(JsonValueSchema)
