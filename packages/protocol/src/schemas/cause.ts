import { z } from 'zod'
import type { Cause, Effects } from '../cause.ts'
import { CAUSES, EFFECTS } from '../cause.ts'

export const CauseSchema: z.ZodType<Cause> = z.enum(CAUSES)

export const EffectsSchema: z.ZodType<Effects> = z.enum(EFFECTS)
