import type { Cause, JournalLine, JsonObject } from '@tutti/protocol'
import { canonicalJson } from '../../schema/canonical-json.ts'
import type { Call } from '../call.ts'
import type { Barrier } from '../call-sink.ts'
import type { PlannedMiss, RecordedCall } from '../plan-types.ts'

/** What the journal tells of calls that have no record. */
export interface CallHistory {
  calls: RecordedCall[]
  /** Cause of the last failed line without a later result, by `key#n`. */
  failed: ReadonlyMap<string, Cause>
  /** Keys that the script still asks for: such a call is no earlier form of another. */
  asked: ReadonlySet<string>
}

/** Reads the calls of a journal; `readBlob` gives the text of a large one. */
export async function readHistory(
  journal: readonly JournalLine[],
  readBlob: (hash: string) => Promise<string>,
): Promise<Omit<CallHistory, 'asked'>> {
  const calls = new Map<string, RecordedCall>()
  const failed = new Map<string, Cause>()
  for (const line of journal) {
    if (line.type === 'started') {
      const { key, n, label } = line
      const call = typeof line.call === 'string' ? await large(line.call, readBlob) : line.call
      if (call !== undefined) calls.set(`${key}#${n}`, { key, n, label, call })
    } else if (line.type === 'failed') failed.set(`${line.key}#${line.n}`, line.cause)
    else if (line.type === 'result') failed.delete(`${line.key}#${line.n}`)
  }
  return { calls: [...calls.values()], failed }
}

async function large(
  hash: string,
  readBlob: (hash: string) => Promise<string>,
): Promise<JsonObject | undefined> {
  try {
    return JSON.parse(await readBlob(hash)) as JsonObject
  } catch {
    // A call that cannot be compared is no reason to refuse a plan.
    return undefined
  }
}

/** Why a call would be dispatched. */
export function explainMiss(call: Call, barrier: Barrier, history: CallHistory): PlannedMiss {
  const miss = {
    label: call.label,
    ...(call.phase !== undefined && { phase: call.phase }),
    ...(call.place !== undefined && { place: call.place }),
    prompt: call.prompt,
  }
  if (barrier !== 'no record') return { ...miss, reason: barrier }
  const cause = history.failed.get(`${call.key}#${call.n}`)
  if (cause === 'stopped') return { ...miss, reason: 'unfinished' }
  if (cause !== undefined) return { ...miss, reason: 'failed before', cause }
  if (history.calls.some(known => known.key === call.key && known.n === call.n)) {
    return { ...miss, reason: 'unfinished' }
  }
  const gone = history.calls.filter(known => !history.asked.has(known.key))
  const nearest = nearestCall(call, gone)
  if (nearest === undefined) return { ...miss, reason: 'new' }
  const changed = changedFields(nearest.call, call.canonical)
  const prompt = promptOf(nearest)
  const reason = changed.length === 0 ? 'new' : `${changed.join(', ')} changed`
  return { ...miss, reason, nearest: { label: nearest.label, prompt } }
}

/** The recorded call of the same script with the same label, else the one whose prompt has most words in common. */
function nearestCall(call: Call, calls: RecordedCall[]): RecordedCall | undefined {
  const candidates = calls.filter(known => known.call['path'] === call.path)
  const sameLabel = candidates.find(known => known.label === call.label)
  if (sameLabel !== undefined) return sameLabel
  const words = wordsOf(call.prompt)
  let best: { known: RecordedCall; likeness: number } | undefined
  for (const known of candidates) {
    const likeness = likenessOf(words, wordsOf(promptOf(known)))
    if (likeness >= ALIKE && likeness > (best?.likeness ?? 0)) best = { known, likeness }
  }
  return best?.known
}

const ALIKE = 0.5

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])
}

/** Shared words as a part of all words of the two. */
function likenessOf(a: Set<string>, b: Set<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

function promptOf({ call }: RecordedCall): string {
  return typeof call['prompt'] === 'string' ? call['prompt'] : ''
}

function changedFields(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(name => textOf(before[name]) !== textOf(after[name]))
}

function textOf(value: JsonObject[string] | undefined): string {
  return value === undefined ? '' : canonicalJson(value)
}
