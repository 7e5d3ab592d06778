import { z } from 'zod'
import type {
  AttemptSummary,
  FinishedAgent,
  ForkOrigin,
  RunFailure,
  RunLimits,
  RunOutput,
  RunOwner,
  RunRecord,
  RunStatus,
  SerializedError,
  TranscriptMeta,
} from '../record.ts'
import { RUN_STATUSES } from '../record.ts'
import { CauseSchema } from './cause.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { PhaseMetaSchema } from './meta.ts'
import { objectOf } from './object-of.ts'
import { openUnion } from './open-union.ts'
import { LogRowSchema, PhaseRowSchema, RecordAgentRowSchema } from './progress.ts'
import { PROGRESS_ROW_TYPES } from '../progress.ts'
import { CensusSchema, RunUsageSchema } from './usage.ts'

const count = z.int().min(0)
const fromOne = z.int().min(1)

export const RunStatusSchema: z.ZodType<RunStatus> = z.enum(RUN_STATUSES)

export const SerializedErrorSchema: z.ZodType<SerializedError> = objectOf<SerializedError>()({
  name: z.string(),
  code: z.string().optional(),
  message: z.string(),
  hint: z.string().optional(),
  stack: z.string().optional(),
  data: JsonObjectSchema.optional(),
  cause: z.lazy(() => SerializedErrorSchema).optional(),
})

const limits = {
  concurrency: fromOne,
  agents: fromOne,
  entries: fromOne,
  scriptCpuMs: fromOne,
  scriptMemoryMiB: fromOne,
  outputTokens: count.nullable(),
  tokens: count.nullable().optional(),
  costUsd: z.number().min(0).nullable().optional(),
  wallMs: count.nullable().optional(),
}

export const RunLimitsSchema: z.ZodType<RunLimits> = objectOf<RunLimits>()(limits)

export const PartialRunLimitsSchema: z.ZodType<Partial<RunLimits>> = z.looseObject(limits).partial()

export const RunOwnerSchema: z.ZodType<RunOwner> = objectOf<RunOwner>()({
  host: z.string(),
  pid: count,
  processStartedAt: z.string().optional(),
})

export const FinishedAgentSchema: z.ZodType<FinishedAgent> = objectOf<FinishedAgent>()({
  index: fromOne,
  label: z.string(),
  phase: z.string().optional(),
  preview: z.string().optional(),
})

export const ForkOriginSchema: z.ZodType<ForkOrigin> = objectOf<ForkOrigin>()({
  runId: z.string(),
  at: z.union([z.string(), fromOne]).optional(),
})

export const AttemptSummarySchema: z.ZodType<AttemptSummary> = objectOf<AttemptSummary>()({
  attempt: fromOne,
  taskId: z.string(),
  toolUseId: z.string().optional(),
  status: RunStatusSchema,
  startedAt: z.number(),
  endedAt: z.number().optional(),
})

export const RunFailureSchema: z.ZodType<RunFailure> = objectOf<RunFailure>()({
  kind: z.enum(['agent', 'thunk', 'stage']),
  label: z.string().optional(),
  index: count.optional(),
  cause: CauseSchema.optional(),
  message: z.string(),
  lastText: z.string().optional(),
  lastInvalid: JsonValueSchema.optional(),
})

/** Rows of unknown type pass. */
const recordRow = openUnion<RunRecord['progress'][number]>({
  tag: 'type',
  known: PROGRESS_ROW_TYPES,
  variants: [PhaseRowSchema, RecordAgentRowSchema, LogRowSchema],
})

export const RunRecordSchema: z.ZodType<RunRecord> = objectOf<RunRecord>()({
  schemaVersion: fromOne,
  runId: z.string(),
  taskId: z.string(),
  toolUseId: z.string().optional(),
  attempts: z.array(AttemptSummarySchema),
  sessionId: z.string(),
  workflowName: z.string(),
  description: z.string(),
  status: RunStatusSchema,
  pausedBy: z.string().optional(),
  resetAt: z.number().optional(),
  startedAt: z.number(),
  attemptStartedAt: z.number(),
  endedAt: z.number().optional(),
  heartbeatAt: z.number(),
  attempt: fromOne,
  forkedFrom: ForkOriginSchema.optional(),
  owner: RunOwnerSchema.optional(),
  args: JsonValueSchema.optional(),
  sourcePath: z.string().optional(),
  cwd: z.string().optional(),
  scriptPath: z.string(),
  scriptHash: z.string(),
  model: z.string().optional(),
  backend: z.string().optional(),
  cache: z.enum(['auto', 'content', 'never']).optional(),
  simulated: z.boolean().optional(),
  phases: z.array(PhaseMetaSchema),
  progress: z.array(recordRow),
  logs: z.array(z.string()),
  logsDropped: count,
  limits: RunLimitsSchema,
  usage: RunUsageSchema,
  priorUsage: RunUsageSchema,
  census: CensusSchema,
  degraded: z.boolean(),
  failures: z.array(RunFailureSchema),
  warnings: z.array(z.string()),
  resultPreview: z.string().optional(),
  resultError: z.string().optional(),
  outputFile: z.string(),
  error: SerializedErrorSchema.optional(),
})

export const RunOutputSchema: z.ZodType<RunOutput> = objectOf<RunOutput>()({
  runId: z.string(),
  status: RunStatusSchema,
  attempt: fromOne,
  result: JsonValueSchema.optional(),
  partialResult: JsonValueSchema.optional(),
  resultError: z.string().optional(),
  error: SerializedErrorSchema.optional(),
  finished: z.array(FinishedAgentSchema).optional(),
  simulated: z.boolean().optional(),
})

export const TranscriptMetaSchema: z.ZodType<TranscriptMeta> = objectOf<TranscriptMeta>()({
  agentType: z.string(),
  label: z.string(),
  phase: z.string().optional(),
  model: z.string().optional(),
  runId: z.string(),
  toolUseId: z.string().optional(),
  spawnDepth: count,
})
