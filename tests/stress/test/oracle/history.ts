import type { Effects, JournalLine, JsonValue } from '@tutti/protocol'

/** A result that a later attempt may use. */
export interface Rec {
  key: string
  /** The call it belongs to: the one that made it, or the one that took it last. */
  n: number
  label: string | undefined
  attempt: number
  seq: number
  effects: Effects
  value: JsonValue | undefined
  /** Where it was handed over last. */
  place: Place | undefined
}

export interface Place {
  attempt: number
  position: number
}

/**
 * What earlier attempts left behind, by the words of the specification: a second reading of it that shares no
 * code with the runtime.
 */
export class History {
  records: Rec[] = []
  readonly timers: Map<string, Place> = new Map()

  /** Takes in the lines of one attempt. `taken`: which call took which record in it, as `key#n`. */
  absorb(lines: readonly JournalLine[], taken: ReadonlyMap<string, Rec>): void {
    const made = new Map<string, Rec>()
    let position = 0
    for (const line of lines) {
      if (line.type === 'result') {
        const { key, n, label, attempt, seq, effects, result } = line
        const rec = { key, n, label, attempt, seq, effects, value: result, place: undefined }
        made.set(`${key}#${n}`, rec)
        this.records.push(rec)
      }
      if (line.type !== 'delivered') continue
      const place = { attempt: line.attempt, position: position++ }
      if (line.name !== undefined) this.timers.set(line.name, place)
      const name = `${line.key}#${line.n}`
      const rec = taken.get(name) ?? made.get(name)
      if (rec !== undefined) Object.assign(rec, { place, n: line.n })
    }
    this.records = onePerCall(this.records)
  }
}

/** "If one (key, n) has several records, the latest attempt's counts." */
function onePerCall(records: Rec[]): Rec[] {
  const latest = new Map<string, Rec>()
  for (const rec of records) {
    const other = latest.get(`${rec.key}#${rec.n}`)
    if (other === undefined || other.attempt <= rec.attempt) latest.set(`${rec.key}#${rec.n}`, rec)
  }
  return [...latest.values()]
}

/**
 * Recorded order: as in the last attempt that handed both over, what an earlier one handed over after that, and
 * what none did at the end, by attempt and line.
 */
export function inRecordedOrder(a: Waiting, b: Waiting): number {
  if (a.place !== undefined && b.place !== undefined) {
    return b.place.attempt - a.place.attempt || a.place.position - b.place.position
  }
  if (a.place !== undefined) return -1
  if (b.place !== undefined) return 1
  return a.attempt - b.attempt || a.seq - b.seq
}

export interface Waiting {
  place: Place | undefined
  attempt: number
  seq: number
}
