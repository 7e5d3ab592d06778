import type { Effects, JsonValue } from '@tutti/protocol'
import { callKey } from './call-key.ts'
import { inRecordedOrder, type History, type Rec, type Waiting } from './history.ts'
import type { TraceEvent } from './trace.ts'

/** What is known of an attempt from outside. */
export interface AttemptFacts {
  attempt: number
  /** Calls per run. */
  limit: number
  /** Effects of the outcomes that agents of this attempt had, by `key#n`. */
  fresh: ReadonlyMap<string, Effects>
}

export interface IssuedCall {
  /** `key#n` */
  name: string
  label: string
  prompt: string
  /** Absent: the call must be dispatched. */
  taken: Rec | undefined
  /** Refused before it counts as a call of the run. */
  refused: boolean
}

export interface Prediction {
  calls: IssuedCall[]
  /** What the script saw that it must not see. */
  violations: string[]
}

/**
 * The rule, applied to what a script issued and got, in that order: which calls take which record, which ones are
 * dispatched, and what may be handed over when.
 */
export function predict(trace: readonly TraceEvent[], history: History, facts: AttemptFacts): Prediction {
  const rule = new RuleState()
  const calls = new Map<string, IssuedCall>()
  const counts = new Map<string, number>()
  const used = new Set<Rec>()
  const waiting = new Map<string, Waiting>()
  const refusedOnes = new Set<string>()
  const timers = new Map<string, number>()
  const violations: string[] = []
  let made = 0

  function issue(event: Extract<TraceEvent, { type: 'issued' }>): void {
    const { id, path, prompt, options } = event
    if (options.nonsense === true) return refuse(id, 'nonsense')
    const key = callKey(path, prompt, options)
    const n = (counts.get(key) ?? 0) + 1
    counts.set(key, n)
    if (++made > facts.limit) return refuse(id, `${key}#${n}`)
    const found = choose(history.records, { key, n, label: options.label, used })
    const taken = found !== undefined && rule.admits(found, options.cache) ? found : undefined
    if (taken !== undefined) {
      used.add(taken)
      waiting.set(id, taken)
    }
    calls.set(id, { name: `${key}#${n}`, label: options.label, prompt, taken, refused: false })
  }

  function refuse(id: string, name: string): void {
    refusedOnes.add(id)
    calls.set(id, { name, label: '', prompt: '', taken: undefined, refused: true })
  }

  function deliver({ id, value }: Extract<TraceEvent, { type: 'delivered' }>): void {
    if (refusedOnes.delete(id)) return
    if (refusedOnes.size > 0) violations.push(`${id} came in before refusals of ${[...refusedOnes].join()}`)
    const mine = waiting.get(id)
    waiting.delete(id)
    const earlier = [...waiting].filter(([, other]) => mine === undefined || inRecordedOrder(other, mine) < 0)
    if (earlier.length > 0) violations.push(`${id} came in before the records of ${earlier.map(([other]) => other).join()}`)
    const call = calls.get(id)
    if (call === undefined) return
    if (call.taken === undefined) {
      const effects = facts.fresh.get(call.name)
      if (effects !== undefined) rule.handedOver(facts.attempt, effects)
      else violations.push(`${id} (${call.name}) came in, but it has neither a record to take nor an outcome of its own`)
      return
    }
    rule.handedOver(call.taken.attempt, call.taken.effects)
    if (!sameValue(call.taken.value, value)) {
      violations.push(`${id} got ${JSON.stringify(value)}, but its record says ${JSON.stringify(call.taken.value)}`)
    }
  }

  function setTimer({ id, path }: Extract<TraceEvent, { type: 'timer' }>): void {
    const ordinal = (timers.get(path) ?? 0) + 1
    timers.set(path, ordinal)
    const place = history.timers.get(`timer:${path}:${ordinal}`)
    if (place !== undefined) waiting.set(id, { place, attempt: 0, seq: 0 })
  }

  for (const event of trace) {
    if (event.type === 'issued') issue(event)
    else if (event.type === 'delivered') deliver(event)
    else if (event.type === 'timer') setTimer(event)
    else waiting.delete(event.id)
  }
  return { calls: [...calls.values()], violations }
}

/** "It takes an unused record of its key: the one with the same label and n, else the same label and lowest n, else the lowest n." */
function choose(
  records: readonly Rec[],
  call: { key: string; n: number; label: string; used: ReadonlySet<Rec> },
): Rec | undefined {
  const free = records
    .filter(rec => rec.key === call.key && !call.used.has(rec))
    .toSorted((a, b) => a.n - b.n || b.since - a.since)
  const labelled = free.filter(rec => rec.label === call.label)
  return labelled.find(rec => rec.n === call.n) ?? labelled[0] ?? free[0]
}

/** What has been handed over so far in an attempt, as far as it can bar a record. */
class RuleState {
  readonly #given: { attempt: number; effects: Effects }[] = []

  handedOver(attempt: number, effects: Effects): void {
    this.#given.push({ attempt, effects })
  }

  admits(rec: Rec, cache: 'auto' | 'content' | 'never' = 'auto'): boolean {
    if (cache !== 'auto') return cache === 'content'
    return !this.#given.some(({ attempt, effects }) => attempt > rec.attempt && counts(effects, rec))
  }
}

function counts(effects: Effects, rec: Rec): boolean {
  const real = (value: Effects): boolean => value === 'yes' || value === 'unknown'
  return real(effects) || (effects === 'isolated' && real(rec.effects))
}

/** `agent.settled` wraps what `agent` gives. */
function sameValue(recorded: JsonValue | undefined, seen: JsonValue | undefined): boolean {
  const [a, b] = [JSON.stringify(recorded), JSON.stringify(seen)]
  return a === b || b === JSON.stringify({ status: 'ok', value: recorded ?? null, cause: null })
}
