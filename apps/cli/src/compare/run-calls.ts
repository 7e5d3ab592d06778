import type { Cause, JsonObject, JsonValue, RecordAgentRow, ResultEntry } from '@tutti/protocol'
import type { StoredRun } from '@tutti/runtime'

/** A call of the last attempt of a run, with the latest that is known of it. */
export interface RunCall {
  label: string
  phase?: string
  key: string
  n: number
  /** What the key covers; absent when it is not recorded. */
  content?: JsonObject
  result?: ResultEntry
  /** How it ended when it has no result. */
  cause?: Cause | 'unfinished'
}

/** Reads text that a run keeps outside its journal. */
export type ReadBlob = (hash: string) => Promise<string>

/** The calls in the order of issue, as far as they got a slot. */
export async function callsOf({ record, journal }: StoredRun, readBlob: ReadBlob): Promise<RunCall[]> {
  const calls = new Map<string, RunCall & { index: number }>()
  for (const row of record.progress.filter((one): one is RecordAgentRow => one.type === 'workflow_agent')) {
    calls.set(idOf(row), {
      label: row.label,
      key: row.key,
      n: row.n,
      index: row.index,
      ...(row.phaseTitle !== undefined && { phase: row.phaseTitle }),
    })
  }
  for (const line of journal) {
    if (line.type === 'started' && line.attempt === record.attempt && !calls.has(idOf(line))) {
      const { label, key, n, index, phase } = line
      calls.set(idOf(line), { label, key, n, index, ...(phase !== undefined && { phase }) })
    }
  }
  for (const line of journal) {
    if (line.type !== 'started' && line.type !== 'result' && line.type !== 'failed') continue
    const call = calls.get(idOf(line))
    if (call === undefined) continue
    if (line.type === 'started') {
      const content = await contentOf(line.call, readBlob)
      if (content !== undefined) call.content = content
    } else if (line.type === 'result') call.result = line
    else call.cause = line.cause
  }
  return [...calls.values()]
    .toSorted((a, b) => a.index - b.index)
    .map(({ index: _index, cause, ...call }) => {
      if (call.result !== undefined) return call
      return { ...call, cause: cause ?? 'unfinished' }
    })
}

/** The value of a call that has one. */
export async function valueOf({ result }: RunCall, readBlob: ReadBlob): Promise<JsonValue> {
  if (result?.resultHash === undefined) return result?.result ?? null
  return JSON.parse(await readBlob(result.resultHash)) as JsonValue
}

async function contentOf(call: JsonObject | string, readBlob: ReadBlob): Promise<JsonObject | undefined> {
  if (typeof call !== 'string') return call
  // What cannot be read is only missing from the comparison.
  return JSON.parse(await readBlob(call).catch(() => 'null')) ?? undefined
}

function idOf({ key, n }: { key: string; n: number }): string {
  return `${key}#${n}`
}
