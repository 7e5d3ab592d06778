import { readdirSync, readFileSync } from 'node:fs'
import type { z } from 'zod'
import type { JsonValue } from '../src/json.ts'
import {
  InFrameSchema,
  JournalLineSchema,
  OutFrameSchema,
  ProgressRowSchema,
  RunOutputSchema,
  RunRecordSchema,
  SettingsSchema,
  TranscriptMetaSchema,
  WorkflowMetaSchema,
  WorkflowToolInputSchema,
  WorkflowToolOutputSchema,
} from '../src/schemas/index.ts'

/** The schema of each document, by the name that its fixtures and its JSON Schema file have. */
export const documents: Record<string, z.ZodType> = {
  'in-frame': InFrameSchema,
  'journal-line': JournalLineSchema,
  'out-frame': OutFrameSchema,
  'progress-row': ProgressRowSchema,
  'run-output': RunOutputSchema,
  'run-record': RunRecordSchema,
  settings: SettingsSchema,
  'transcript-meta': TranscriptMetaSchema,
  'workflow-meta': WorkflowMetaSchema,
  'workflow-tool-input': WorkflowToolInputSchema,
  'workflow-tool-output': WorkflowToolOutputSchema,
}

const folder = new URL('fixtures/', import.meta.url)

/** The released versions that have fixtures. */
export const versions: string[] = readdirSync(folder)

export interface Accepted {
  file: string
  document: string
  values: JsonValue[]
}

export interface Refused {
  document: string
  about: string
  path: (string | number)[]
  value: JsonValue
}

/** Values that every later 1.x must read. */
export function accepted(version: string): Accepted[] {
  return readdirSync(new URL(`${version}/accepted/`, folder)).map(file => ({
    file,
    document: file.split('.')[0]!,
    values: lines(`${version}/accepted/${file}`),
  }))
}

/** Values that must be refused, each at the place it names. */
export function refused(version: string): Refused[] {
  return lines(`${version}/refused.jsonl`) as unknown as Refused[]
}

export function lines(file: string): JsonValue[] {
  return text(file)
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as JsonValue)
}

export function text(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8')
}
