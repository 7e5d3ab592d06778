import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { PROTOCOL_VERSION } from '../version.ts'
import { InFrameSchema, OutFrameSchema } from './frames.ts'
import { JournalLineSchema } from './journal.ts'
import { WorkflowMetaSchema } from './meta.ts'
import { ProgressRowSchema } from './progress.ts'
import { RunOutputSchema, RunRecordSchema, TranscriptMetaSchema } from './record.ts'
import { SettingsSchema } from './settings.ts'
import { WorkflowToolInputSchema, WorkflowToolOutputSchema } from './tool.ts'

const documents: Record<string, { title: string; schema: z.ZodType }> = {
  'in-frame': { title: 'A line that a session reads', schema: InFrameSchema },
  'journal-line': { title: 'A line of the journal of a run', schema: JournalLineSchema },
  'out-frame': { title: 'A line that a session writes', schema: OutFrameSchema },
  'progress-row': { title: 'An entry of workflow_progress', schema: ProgressRowSchema },
  'run-output': { title: 'The full result of a run', schema: RunOutputSchema },
  'run-record': { title: 'The record of a run', schema: RunRecordSchema },
  settings: { title: 'A settings file', schema: SettingsSchema },
  'transcript-meta': { title: 'The description beside a transcript', schema: TranscriptMetaSchema },
  'workflow-meta': { title: 'The meta of a workflow script', schema: WorkflowMetaSchema },
  'workflow-tool-input': { title: 'Input of the Workflow tool', schema: WorkflowToolInputSchema },
  'workflow-tool-output': {
    title: 'Structured result of the Workflow tool',
    schema: WorkflowToolOutputSchema,
  },
}

/** JSON Schema (2020-12) of each document, by the name of its file in `@tutti/protocol/schema/`. */
export function jsonSchemas(): Record<string, JsonObject> {
  return Object.fromEntries(
    Object.entries(documents).map(([name, { title, schema }]) => {
      const { $schema = '', ...rest } = toJsonSchema(schema)
      return [name, { $schema, $comment: `Tutti protocol ${PROTOCOL_VERSION}`, title, ...rest }]
    }),
  )
}

/** JSON Schema (2020-12) of one of the schemas. Rules that it cannot express are left out. */
export function toJsonSchema(schema: z.ZodType): JsonObject {
  const converted = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => dropSafeIntegerBounds(jsonSchema),
  })
  return JSON.parse(JSON.stringify(converted)) as JsonObject
}

/** They would stand at every integer and say nothing. */
function dropSafeIntegerBounds(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
}
