import type { JournalLine, JsonObject, JsonValue, ResultEntry, StartedEntry } from '@tutti/protocol'
import type { ReusableCall, ReusableRun } from '@tutti/runtime'
import { createDisk, type Disk, type FileSystem } from '../files/file-system.ts'
import { loadJournal } from '../journal/journal-file.ts'
import type { RunPaths } from '../layout.ts'
import { readBlob } from '../run/blobs.ts'
import { incomplete } from '../run/incomplete.ts'
import { defined, fieldsOf, textOf } from './fields.ts'
import type { ReuseProblem } from './reuse-foreign.ts'

/** The finished calls of a run of ours, by its journal. */
export async function reuseOwn(fs: FileSystem, runId: string, paths: RunPaths): Promise<ReusableRun> {
  const journal = await loadJournal(fs, paths.journal)
  if (!journal) throw incomplete(runId, paths, 'its journal')
  const disk = createDisk({ fileSystem: fs })
  const problems: ReuseProblem[] = journal.damaged.map(({ line, reason }) => ({
    what: `journal line ${line}`,
    why: reason,
  }))
  const calls: ReusableCall[] = []
  for (const call of callsOf(journal.lines)) {
    try {
      calls.push(await reusableCall(disk, paths, call))
    } catch (error) {
      problems.push({ what: call.label, why: (error as Error).message })
    }
  }
  return { source: paths.transcripts, product: 'tutti', calls, problems }
}

/** A call with the latest that is known of it. */
interface RecordedCall {
  label: string
  started: StartedEntry | undefined
  result: ResultEntry | undefined
  failed: string | undefined
}

/** Calls in the order in which they first got a slot or ended. */
function callsOf(lines: JournalLine[]): RecordedCall[] {
  const calls = new Map<string, RecordedCall>()
  for (const line of lines) {
    if (line.type !== 'started' && line.type !== 'result' && line.type !== 'failed') continue
    const id = `${line.key}#${line.n}`
    const label = line.label ?? line.key
    const call = calls.get(id) ?? { label, started: undefined, result: undefined, failed: undefined }
    calls.set(id, call)
    if (line.label !== undefined) call.label = line.label
    if (line.type === 'started') call.started = line
    else if (line.type === 'result') call.result = line
    else call.failed = `it failed (${line.cause}): ${line.message}`
  }
  return [...calls.values()]
}

/** Throws Error with the reason why a call cannot be reused. */
async function reusableCall(disk: Disk, paths: RunPaths, call: RecordedCall): Promise<ReusableCall> {
  const { started, result } = call
  if (!result) throw new Error(call.failed ?? 'it had not ended')
  if (result.simulated === true) throw new Error('its result was made up by the simulate backend')
  if (!started) throw new Error('what it was asked is not recorded')
  const content = await contentOf(disk, paths, started)
  const prompt = content['prompt']
  if (typeof prompt !== 'string') throw new Error('its prompt is not recorded')
  const { input, output, cacheRead, cacheWrite } = result.usage
  return {
    transcriptId: result.transcriptId,
    label: call.label,
    prompt,
    result: await valueOf(disk, paths, result),
    hadSchema: content['schema'] !== undefined,
    tokens: input + output + cacheRead + cacheWrite,
    complete: true,
    ...defined({
      phase: started.phase,
      agentType: textOf(content['agentType']),
      model: textOf(content['model']) ?? result.model,
    }),
  }
}

async function contentOf(disk: Disk, paths: RunPaths, { call }: StartedEntry): Promise<JsonObject> {
  const value: unknown = typeof call === 'string' ? JSON.parse(await readBlob(disk, paths, call)) : call
  return (fieldsOf(value) ?? {}) as JsonObject
}

async function valueOf(disk: Disk, paths: RunPaths, { result, resultHash }: ResultEntry): Promise<JsonValue> {
  if (resultHash === undefined) return result ?? null
  return JSON.parse(await readBlob(disk, paths, resultHash)) as JsonValue
}
