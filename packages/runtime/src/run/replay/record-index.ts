import type { JournalLine, ResultEntry } from '@tutti/protocol'

/** A result that a call may take. */
export interface RecordedResult {
  /** The call of the last attempt it was bound to, else the call that made it. */
  key: string
  n: number
  label: string | undefined
  entry: ResultEntry
  /** Attempt that made it: its age. */
  attempt: number
  seq: number
  /** Place in the recorded order. */
  order: number
  taken: boolean
  /** Resolves once a result taken over from another run is in this run's journal. */
  imported?: Promise<void>
}

/** The records of a run's earlier attempts. */
export interface RecordIndex {
  /** An unused record for a call: same label and n, else same label, else lowest n. Does not take it. */
  find(key: string, n: number, label: string): RecordedResult | undefined
  /** Place of a timer in the recorded order, if it fired. */
  timerOrder(name: string): number | undefined
  /** In the order of their ordinals. */
  all(): readonly RecordedResult[]
}

/** Never delivered: after all that were, by attempt and seq. */
const UNDELIVERED = 2 ** 52

/** More than one attempt delivers. */
const ATTEMPT = 2 ** 32

/** Builds the index from a journal. Unknown line types are ignored. */
export function indexRecords(journal: readonly JournalLine[]): RecordIndex {
  const bound = new Map<string, RecordedResult[]>()
  const made = new Map<string, RecordedResult>()
  const order = recordedOrder(journal)
  for (const line of journal) {
    if (line.type === 'result') {
      const record = recorded(line)
      bound.set(slot(line.key, line.n), [record])
      made.set(`${slot(line.key, line.n)}@${line.attempt}`, record)
    } else if (line.type === 'delivered' && line.from !== undefined) rebind(bound, made, line)
  }
  for (const [name, records] of bound) {
    const newest = records.at(-1)
    if (newest !== undefined) newest.order = order.get(name) ?? newest.order
  }
  const all = [...bound.values()].flatMap(records => records.toReversed()).toSorted((a, b) => a.n - b.n)
  const twins = groupTwins(all)
  return {
    find: (key, n, label) => twins.get(key)?.find(n, label),
    timerOrder: name => order.get(name),
    all: () => all,
  }
}

/**
 * The place of every call and timer that was handed over: as in the last attempt that did, and after everything
 * that a later one handed over. An attempt that was cut short so leaves the order of the one before intact.
 */
export function recordedOrder(journal: readonly JournalLine[]): Map<string, number> {
  const last = journal.at(-1)?.attempt ?? 0
  const order = new Map<string, number>()
  let position = 0
  for (const line of journal) {
    if (line.type !== 'delivered') continue
    const name = line.name ?? slot(line.key ?? '', line.n ?? 0)
    order.set(name, (last - line.attempt) * ATTEMPT + position++)
  }
  return order
}

function recorded(line: ResultEntry & { attempt: number; seq: number }): RecordedResult {
  const { key, n, label, attempt, seq } = line
  return { key, n, label, entry: line, attempt, seq, order: UNDELIVERED + seq, taken: false }
}

/**
 * A call that took a twin's record keeps it on the next resume, whatever the twin does afterwards: otherwise
 * identical calls would swap their results. A result of the twin may stand before this line, and the record that
 * the call had before stays for whoever takes it.
 */
function rebind(
  bound: Map<string, RecordedResult[]>,
  made: Map<string, RecordedResult>,
  line: DeliveredFrom,
): void {
  const { key = '', n = 0, from } = line
  const record = made.get(`${slot(key, from?.n ?? 0)}@${from?.attempt}`)
  if (record === undefined) return
  const before = bound.get(slot(key, record.n)) ?? []
  bound.set(
    slot(key, record.n),
    before.filter(other => other !== record),
  )
  record.n = n
  bound.set(slot(key, n), [...(bound.get(slot(key, n)) ?? []), record])
}

interface DeliveredFrom {
  key?: string
  n?: number
  from?: { attempt: number; n: number }
}

/** The records of identical calls. Lists are walked once: ten thousand twins stay cheap. */
class Twins {
  readonly #all = new FreeList()
  readonly #byLabel = new Map<string | undefined, FreeList>()
  readonly #exact = new Map<string, RecordedResult>()

  add(record: RecordedResult): void {
    this.#all.add(record)
    let list = this.#byLabel.get(record.label)
    if (list === undefined) this.#byLabel.set(record.label, (list = new FreeList()))
    list.add(record)
    const name = `${record.n}:${record.label}`
    if (!this.#exact.has(name)) this.#exact.set(name, record)
  }

  find(n: number, label: string): RecordedResult | undefined {
    const exact = this.#exact.get(`${n}:${label}`)
    if (exact !== undefined && !exact.taken) return exact
    return this.#byLabel.get(label)?.first() ?? this.#all.first()
  }
}

class FreeList {
  readonly #records: RecordedResult[] = []
  #next = 0

  add(record: RecordedResult): void {
    this.#records.push(record)
  }

  first(): RecordedResult | undefined {
    while (this.#records[this.#next]?.taken) this.#next++
    return this.#records[this.#next]
  }
}

function groupTwins(records: RecordedResult[]): Map<string, Twins> {
  const groups = new Map<string, Twins>()
  for (const record of records) {
    let twins = groups.get(record.key)
    if (twins === undefined) groups.set(record.key, (twins = new Twins()))
    twins.add(record)
  }
  return groups
}

function slot(key: string, n: number): string {
  return `${key}#${n}`
}
