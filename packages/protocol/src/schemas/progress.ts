import { z } from 'zod'
import type { AgentRow, AgentRowState, LogRow, PhaseRow, ProgressRow, WorktreeReport } from '../progress.ts'
import { AGENT_ROW_STATES, PROGRESS_ROW_TYPES } from '../progress.ts'
import type { RecordAgentRow } from '../record.ts'
import { CauseSchema } from './cause.ts'
import { objectOf } from './object-of.ts'
import { openUnion } from './open-union.ts'

const count = z.number().min(0)
const index = z.int().min(1)

export const PhaseRowSchema: z.ZodType<PhaseRow> = objectOf<PhaseRow>()({
  type: z.literal('workflow_phase'),
  index,
  title: z.string(),
})

export const AgentRowStateSchema: z.ZodType<AgentRowState> = z.enum(AGENT_ROW_STATES)

export const WorktreeReportSchema: z.ZodType<WorktreeReport> = objectOf<WorktreeReport>()({
  path: z.string(),
  base: z.string(),
  branch: z.string().optional(),
  files: z.array(z.string()),
  moreFiles: z.int().min(1).optional(),
  problem: z.string().optional(),
})

const agentRowFields = {
  type: z.literal('workflow_agent'),
  index,
  agentId: z.string(),
  label: z.string(),
  state: AgentRowStateSchema,
  queuedAt: z.number().optional(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  phaseIndex: index.optional(),
  phaseTitle: z.string().optional(),
  model: z.string().optional(),
  agentType: z.string().optional(),
  tokens: count.optional(),
  toolCalls: count.optional(),
  durationMs: count.optional(),
  attempt: z.int().min(1).optional(),
  lastAttemptReason: z.string().optional(),
  lastProgressAt: z.number().optional(),
  lastToolName: z.string().optional(),
  lastToolSummary: z.string().optional(),
  promptPreview: z.string().optional(),
  resultPreview: z.string().optional(),
  cached: z.boolean().optional(),
  skipped: z.boolean().optional(),
  cause: CauseSchema.optional(),
  error: z.string().optional(),
  isolation: z.string().optional(),
}

export const AgentRowSchema: z.ZodType<AgentRow> = objectOf<AgentRow>()(agentRowFields)

/** The row as the record keeps it. */
export const RecordAgentRowSchema: z.ZodType<RecordAgentRow> = objectOf<RecordAgentRow>()({
  ...agentRowFields,
  key: z.string(),
  n: z.int().min(1),
  transcriptId: z.string().optional(),
  costUsd: z.number().min(0).nullable().optional(),
  worktree: WorktreeReportSchema.optional(),
  sessionId: z.string().optional(),
})

export const LogRowSchema: z.ZodType<LogRow> = objectOf<LogRow>()({
  type: z.literal('workflow_log'),
  index: z.int().min(0),
  message: z.string(),
})

/** Rows of unknown type pass. */
export const ProgressRowSchema: z.ZodType<ProgressRow> = openUnion<ProgressRow>({
  tag: 'type',
  known: PROGRESS_ROW_TYPES,
  variants: [PhaseRowSchema, AgentRowSchema, LogRowSchema],
})
