import type { Effects, JournalLine, JsonValue } from '@tutti/protocol'

/** A result that a later attempt may use. */
export interface Rec {
  key: string
  /** The call it belongs to: the one that made it, or the one that took it last. */
  n: number
  /** The line since which it belongs to that call. */
  since: number
  label: string | undefined
  attempt: number
  seq: number
  effects: Effects
  output: number
  value: JsonValue | undefined
  /** Its call has a newer result. */
  superseded: boolean
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
  readonly #all: Rec[] = []
  /** Where calls and timers were handed over last, by their names. */
  readonly #places = new Map<string, Place>()

  /** The records that calls may take. */
  get records(): Rec[] {
    return this.#all.filter(rec => !rec.superseded)
  }

  /** Of a timer; undefined when it never fired. */
  placeOfTimer(name: string): Place | undefined {
    return this.#places.get(name)
  }

  /** A record that its call no longer uses has none. */
  placeOf(rec: Rec): Place | undefined {
    const newer = this.#all.some(
      other => !other.superseded && other.key === rec.key && other.n === rec.n && other.since > rec.since,
    )
    return newer ? undefined : this.#places.get(`${rec.key}#${rec.n}`)
  }

  /** Takes in the lines of one attempt. `taken`: which call took which record in it, as `key#n`. */
  absorb(lines: readonly JournalLine[], taken: ReadonlyMap<string, Rec>): void {
    const made = new Map<string, Rec>()
    let position = 0
    for (const line of lines) {
      if (line.type === 'result') made.set(`${line.key}#${line.n}`, this.#add(line))
      if (line.type !== 'delivered') continue
      const name = line.name ?? `${line.key}#${line.n}`
      this.#places.set(name, { attempt: line.attempt, position: position++ })
      const rec = taken.get(name) ?? made.get(name)
      if (rec === undefined) continue
      if (rec.n !== line.n) Object.assign(rec, { n: line.n, since: line.seq })
      rec.superseded = false
    }
  }

  /** "If one (key, n) has several records, the latest attempt's counts." */
  #add(line: Extract<JournalLine, { type: 'result' }>): Rec {
    const { key, n, label, attempt, seq, effects, result, usage } = line
    for (const other of this.#all) if (other.key === key && other.n === n) other.superseded = true
    const common = { superseded: false, since: seq, output: usage.output }
    const rec: Rec = { key, n, label, attempt, seq, effects, value: result, ...common }
    this.#all.push(rec)
    return rec
  }
}

/**
 * Recorded order: as in the last attempt that handed something over, what an earlier one handed over after that,
 * and what none did at the end, by attempt and line.
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
