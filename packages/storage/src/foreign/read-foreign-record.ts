import type { FileSystem } from '../files/file-system.ts'
import { readText } from '../files/read-text.ts'
import { transcriptIdOf } from '../layout.ts'
import { isFile } from '../run/find-in-session.ts'
import {
  countOf,
  defined,
  fieldsOf,
  jsonOf,
  listOf,
  messageOf,
  nameOf,
  parseFields,
  textOf,
} from './fields.ts'
import type { Fields } from './fields.ts'
import type { ForeignPlace } from './find-foreign.ts'
import type { ForeignAgent, ForeignRun, ForeignRunLocations, ForeignRunSummary } from './foreign-run.ts'

export const MAX_RECORD_BYTES: number = 64 * 1024 * 1024
const MAX_SCRIPT_BYTES = 4 * 1024 * 1024
const MAX_LIST = 10_000
const STATUSES: readonly string[] = ['completed', 'failed', 'killed']

/** The run in short. Never throws: what cannot be read is missing. */
export async function summarizeForeign(fs: FileSystem, place: ForeignPlace): Promise<ForeignRunSummary> {
  const fields = await recordFields(fs, place.paths.endRecord).catch(() => undefined)
  return summaryOf(place, fields ?? {}, await presence(fs, place))
}

/** All that the record of a run says. Throws JournalError for one that cannot be used. */
export async function loadForeign(fs: FileSystem, place: ForeignPlace): Promise<ForeignRun> {
  const fields = (await recordFields(fs, place.paths.endRecord)) ?? {}
  const found = await presence(fs, place)
  const copy = found.locations.script && (await readText(fs, found.locations.script, MAX_SCRIPT_BYTES))
  return {
    ...summaryOf(place, fields, found),
    ...defined({
      args: jsonOf(fields['args']),
      result: jsonOf(fields['result']),
      script: textOf(fields['script']) ?? copy,
    }),
    phases: bounded(fields['phases']).flatMap(phaseOf),
    logs: bounded(fields['logs']).flatMap(line => messageOf(line) ?? []),
    rows: agentsOf(fields),
  }
}

/** The agents of a record, in its order. */
export function agentsOf(record: Fields): ForeignAgent[] {
  return bounded(record['workflowProgress']).flatMap(agentOf)
}

/** Undefined when there is no record. Throws JournalError when it cannot be read or is no object. */
export async function recordFields(fs: FileSystem, path: string | undefined): Promise<Fields | undefined> {
  const text = path === undefined ? undefined : await readText(fs, path, MAX_RECORD_BYTES)
  return text === undefined ? undefined : (parseFields(text) ?? {})
}

interface Presence {
  locations: ForeignRunLocations
  transcripts: number
}

async function presence(fs: FileSystem, { paths }: ForeignPlace): Promise<Presence> {
  const at = async (path: string | undefined): Promise<string | undefined> =>
    path !== undefined && (await isFile(fs, path)) ? path : undefined
  const entries = await fs.readdir(paths.transcripts).catch((): string[] => [])
  return {
    locations: {
      folder: paths.transcripts,
      ...defined({
        record: await at(paths.endRecord),
        journal: await at(paths.journal),
        script: await at(paths.script),
      }),
    },
    transcripts: entries.filter(entry => transcriptIdOf(entry) !== undefined).length,
  }
}

function summaryOf(place: ForeignPlace, record: Fields, found: Presence): ForeignRunSummary {
  const status = record['status']
  return {
    product: place.product,
    runId: place.runId,
    sessionId: place.sessionId,
    workflowName: nameOf(record['workflowName']) ?? place.runId,
    status: STATUSES.includes(status as string) ? (status as ForeignRunSummary['status']) : 'unknown',
    agents: countOf(record['agentCount']) ?? found.transcripts,
    ...defined({
      description: messageOf(record['summary']),
      startedAt: countOf(record['startTime']) ?? timeOf(record['timestamp']),
      durationMs: countOf(record['durationMs']),
      model: nameOf(record['defaultModel']),
      tokens: countOf(record['totalTokens']),
      toolCalls: countOf(record['totalToolCalls']),
      error: messageOf(record['error']),
    }),
    locations: found.locations,
  }
}

function agentOf(value: unknown): ForeignAgent[] {
  const row = fieldsOf(value)
  if (row?.['type'] !== 'workflow_agent') return []
  const transcriptId = agentIdOf(row['agentId'])
  return [
    {
      transcriptId: transcriptId ?? '',
      label: nameOf(row['label']) ?? transcriptId ?? 'agent',
      state: nameOf(row['state']) ?? 'unknown',
      ...defined({
        phase: nameOf(row['phaseTitle']),
        model: nameOf(row['model']),
        agentType: nameOf(row['agentType']),
        tokens: countOf(row['tokens']),
        toolCalls: countOf(row['toolCalls']),
        durationMs: countOf(row['durationMs']),
        error: messageOf(row['error']) ?? (row['skipped'] === true ? 'skipped' : undefined),
      }),
    },
  ]
}

/** The id as it is, or as the name of the transcript that it stands for. */
function agentIdOf(value: unknown): string | undefined {
  const id = textOf(value)
  if (id === undefined) return undefined
  return transcriptIdOf(id) ?? transcriptIdOf(`${id}.jsonl`) ?? transcriptIdOf(`agent-${id}.jsonl`)
}

function phaseOf(value: unknown): { title: string; detail?: string }[] {
  const fields = fieldsOf(value)
  const title = nameOf(fields?.['title'] ?? value)
  return title === undefined ? [] : [{ title, ...defined({ detail: messageOf(fields?.['detail']) }) }]
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return countOf(time)
}

function bounded(value: unknown): unknown[] {
  return listOf(value).slice(0, MAX_LIST)
}
