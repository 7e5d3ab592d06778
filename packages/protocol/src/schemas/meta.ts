import { z } from 'zod'
import type { PhaseMeta, WorkflowMeta } from '../meta.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { objectOf } from './object-of.ts'

export const PhaseMetaSchema: z.ZodType<PhaseMeta> = objectOf<PhaseMeta>()({
  title: z.string().min(1),
  detail: z.string().optional(),
  model: z.string().optional(),
})

export const WorkflowMetaSchema: z.ZodType<WorkflowMeta> = objectOf<WorkflowMeta>()({
  name: z.string().regex(/^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/, '1–64 of A-Z a-z 0-9 . _ -, not . or ..'),
  description: z.string().min(1),
  whenToUse: z.string().optional(),
  phases: z.array(PhaseMetaSchema).optional(),
  model: z.string().optional(),
  args: JsonObjectSchema.optional(),
}).catchall(JsonValueSchema)
