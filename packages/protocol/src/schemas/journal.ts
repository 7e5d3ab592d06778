import { z } from 'zod'
import type {
  AnswerEntry,
  AskEntry,
  DeliveredEntry,
  FailedEntry,
  JournalEntry,
  JournalLine,
  JournalStamp,
  LaunchedEntry,
  ResultEntry,
  ResultOrigin,
  RunEndEntry,
  StartedEntry,
  TimerEntry,
} from '../journal.ts'
import { JOURNAL_LINE_TYPES } from '../journal.ts'
import { CauseSchema, EffectsSchema } from './cause.ts'
import { JsonObjectSchema, JsonValueSchema } from './json.ts'
import { objectOf } from './object-of.ts'
import { openUnion } from './open-union.ts'
import { RunLimitsSchema, RunStatusSchema, SerializedErrorSchema } from './record.ts'
import { WorktreeReportSchema } from './progress.ts'
import { AgentUsageSchema, CensusSchema } from './usage.ts'

const fromOne = z.int().min(1)

const stamp = { seq: z.int().min(0), attempt: fromOne, fence: z.int().min(0) }

export const JournalStampSchema: z.ZodType<JournalStamp> = objectOf<JournalStamp>()(stamp)

const launched = objectOf<LaunchedEntry>()({
  type: z.literal('launched'),
  runId: z.string(),
  name: z.string(),
  scriptHash: z.string(),
  args: JsonValueSchema.optional(),
  startedAt: z.number(),
  limits: RunLimitsSchema,
  model: z.string().optional(),
  backend: z.string().optional(),
  engine: z.string(),
  flags: z.array(z.string()).optional(),
  schemaVersion: fromOne,
})

const call = { key: z.string(), n: fromOne, agentId: z.string() }

const started = objectOf<StartedEntry>()({
  type: z.literal('started'),
  ...call,
  index: fromOne,
  transcriptId: z.string(),
  label: z.string(),
  phase: z.string().optional(),
  call: z.union([JsonObjectSchema, z.string()]),
})

const outcome = {
  label: z.string().optional(),
  usage: AgentUsageSchema,
  tries: z.int().min(0),
  effects: EffectsSchema,
  model: z.string().optional(),
  worktree: WorktreeReportSchema.optional(),
  endedAt: z.number(),
}

export const ResultOriginSchema: z.ZodType<ResultOrigin> = objectOf<ResultOrigin>()({
  product: z.string(),
  source: z.string(),
  transcriptId: z.string().optional(),
})

const result = objectOf<ResultEntry>()({
  type: z.literal('result'),
  ...call,
  ...outcome,
  transcriptId: z.string(),
  result: JsonValueSchema.optional(),
  resultHash: z.string().optional(),
  simulated: z.boolean().optional(),
  origin: ResultOriginSchema.optional(),
})

const failed = objectOf<FailedEntry>()({
  type: z.literal('failed'),
  ...call,
  ...outcome,
  transcriptId: z.string().optional(),
  cause: CauseSchema,
  message: z.string(),
  lastText: z.string().optional(),
  lastInvalid: JsonValueSchema.optional(),
  sessionId: z.string().optional(),
  backend: z.string().optional(),
})

const delivered = objectOf<DeliveredEntry>()({
  type: z.literal('delivered'),
  key: z.string().optional(),
  n: fromOne.optional(),
  name: z.string().optional(),
  from: objectOf<{ attempt: number; n: number }>()({ attempt: fromOne, n: fromOne }).optional(),
})

const timer = objectOf<TimerEntry>()({ type: z.literal('timer'), name: z.string(), delayMs: z.number() })

const ask = objectOf<AskEntry>()({
  type: z.literal('ask'),
  name: z.string(),
  question: z.string(),
  choices: z.array(JsonValueSchema).optional(),
  schema: JsonObjectSchema.optional(),
})

const answer = objectOf<AnswerEntry>()({
  type: z.literal('answer'),
  name: z.string(),
  value: JsonValueSchema,
  by: z.string().optional(),
})

const runEnd = objectOf<RunEndEntry>()({
  type: z.literal('run_end'),
  status: RunStatusSchema,
  error: SerializedErrorSchema.optional(),
  endedAt: z.number(),
  census: CensusSchema,
})

export const LaunchedEntrySchema: z.ZodType<LaunchedEntry> = launched
export const StartedEntrySchema: z.ZodType<StartedEntry> = started
export const ResultEntrySchema: z.ZodType<ResultEntry> = result
export const FailedEntrySchema: z.ZodType<FailedEntry> = failed
export const DeliveredEntrySchema: z.ZodType<DeliveredEntry> = delivered
export const TimerEntrySchema: z.ZodType<TimerEntry> = timer
export const AskEntrySchema: z.ZodType<AskEntry> = ask
export const AnswerEntrySchema: z.ZodType<AnswerEntry> = answer
export const RunEndEntrySchema: z.ZodType<RunEndEntry> = runEnd

/** Entries of unknown type pass. */
export const JournalEntrySchema: z.ZodType<JournalEntry> = openUnion<JournalEntry>({
  tag: 'type',
  known: JOURNAL_LINE_TYPES,
  variants: [launched, started, result, failed, delivered, timer, ask, answer, runEnd],
})

/** Lines of unknown type pass, when they have their stamp. */
export const JournalLineSchema: z.ZodType<JournalLine> = openUnion<JournalLine>({
  tag: 'type',
  known: JOURNAL_LINE_TYPES,
  variants: [
    launched.extend(stamp),
    started.extend(stamp),
    result.extend(stamp),
    failed.extend(stamp),
    delivered.extend(stamp),
    timer.extend(stamp),
    ask.extend(stamp),
    answer.extend(stamp),
    runEnd.extend(stamp),
  ],
  common: stamp,
})
