import type { ReusableCall, ReusableRun } from '@tutti/runtime'
import type { FileSystem } from '../files/file-system.ts'
import { foreignTranscriptPaths, transcriptIdOf, type RunPaths } from '../layout.ts'
import { defined, nameOf, parseFields, type Fields } from './fields.ts'
import type { ForeignAgent, ForeignProduct } from './foreign-run.ts'
import { readBytes, type ReadAllowance } from './read-bytes.ts'
import { agentsOf, recordFields } from './read-foreign-record.ts'
import { readTranscript } from './read-transcript.ts'

const MAX_TRANSCRIPTS = 10_000
const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024
const MAX_META_BYTES = 256 * 1024
const MAX_RUN_BYTES = 1024 * 1024 * 1024
/** States of rows whose agents ended well. */
const GOOD: readonly string[] = ['done', 'cached']

/** What could not be taken over, and why. */
export type ReuseProblem = ReusableRun['problems'][number]

/** The agents of a run of another product that ended well, each proven by its transcript or its row. */
export async function reuseForeign(
  fs: FileSystem,
  product: ForeignProduct,
  paths: RunPaths,
): Promise<ReusableRun> {
  const record = await recordFields(fs, paths.endRecord)
  const rows = agentsOf(record ?? {})
  const rowOf = new Map(rows.map(row => [row.transcriptId, row]))
  const entries = await fs.readdir(paths.transcripts).catch((): string[] => [])
  const ids = entries.map(transcriptIdOf).filter(id => id !== undefined)
  const problems: ReuseProblem[] = []
  const calls: ReusableCall[] = []
  const allowance = { bytes: MAX_RUN_BYTES }
  for (const id of inOrder(ids.slice(0, MAX_TRANSCRIPTS), rows)) {
    const row = rowOf.get(id)
    try {
      calls.push(await reusableCall(fs, { id, row, paths, allowance }))
    } catch (error) {
      problems.push({ what: row ? `${row.label} (${id})` : id, why: (error as Error).message })
    }
  }
  if (ids.length > MAX_TRANSCRIPTS) {
    problems.push({
      what: paths.transcripts,
      why: `only ${MAX_TRANSCRIPTS} of ${ids.length} transcripts were read`,
    })
  }
  const there = new Set(ids)
  for (const row of rows.filter(({ transcriptId }) => !there.has(transcriptId))) {
    const why = GOOD.includes(row.state) ? 'its transcript is missing' : endedAs(row)
    problems.push({ what: row.transcriptId === '' ? row.label : `${row.label} (${row.transcriptId})`, why })
  }
  return { source: paths.transcripts, product, calls, problems }
}

interface Source {
  id: string
  row: ForeignAgent | undefined
  paths: RunPaths
  allowance: ReadAllowance
}

/** Throws Error with the reason why an agent cannot be reused. */
async function reusableCall(fs: FileSystem, { id, row, paths, allowance }: Source): Promise<ReusableCall> {
  // `start` in the record of a killed run: its transcript may still show a good end.
  if (row && !GOOD.includes(row.state) && row.state !== 'start') throw new Error(endedAs(row))
  if (row?.error === 'skipped') throw new Error('it was skipped')
  const files = foreignTranscriptPaths(paths, id)
  const bytes = await readBytes(fs, files.lines, { maxBytes: MAX_TRANSCRIPT_BYTES, allowance })
  const { prompt, model, tokens, end } = readTranscript(bytes)
  // What is left of a run of ours looks like one of another product.
  if (model === 'simulate') throw new Error('its result was made up by the simulate backend')
  if (prompt === undefined) throw new Error('its transcript does not begin with a prompt')
  if (end.kind === 'none') throw new Error(`${end.why} (${files.lines})`)
  if (!end.proven && !(row && GOOD.includes(row.state))) throw new Error('nothing shows that it had ended')
  const meta = await metaOf(fs, files.meta, allowance)
  return {
    transcriptId: id,
    prompt,
    result: end.kind === 'text' ? end.text : end.value,
    hadSchema: end.kind === 'object',
    complete: true,
    ...defined({
      label: row?.label ?? nameOf(meta['label']),
      phase: row?.phase ?? nameOf(meta['phase']),
      agentType: nameOf(meta['agentType']) ?? row?.agentType,
      model: row?.model ?? nameOf(meta['model']) ?? nameOf(model),
      tokens: row?.tokens ?? (tokens > 0 ? tokens : undefined),
    }),
  }
}

/** What is known of an agent beside its transcript; nothing when that cannot be read. */
async function metaOf(fs: FileSystem, path: string, allowance: ReadAllowance): Promise<Fields> {
  try {
    const bytes = await readBytes(fs, path, { maxBytes: MAX_META_BYTES, allowance })
    return parseFields(bytes.toString('utf8')) ?? {}
  } catch {
    return {}
  }
}

/** As the record has them, then the others by name. */
function inOrder(ids: string[], rows: ForeignAgent[]): string[] {
  const place = new Map(rows.map(({ transcriptId }, at) => [transcriptId, at]))
  const rank = (id: string): number => place.get(id) ?? rows.length
  return ids.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
}

function endedAs(row: ForeignAgent): string {
  const error = row.error === undefined ? '' : `: ${row.error}`
  return row.state === 'start' ? 'it had not ended' : `it ended as ${row.state}${error}`
}
