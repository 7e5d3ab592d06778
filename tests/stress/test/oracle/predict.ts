import type { Effects, JsonValue } from '@tutti/protocol'
import { inRecordedOrder, type History, type Rec, type Waiting } from './history.ts'
import type { Named } from './names.ts'
import type { TraceEvent } from './trace.ts'
import { UNSEEN } from './unseen.ts'

/** What is known of an attempt from outside. */
export interface AttemptFacts {
  attempt: number
  /** What the calls and timers of the trace are called. */
  named: ReadonlyMap<string, Named>
  /** The outcomes that agents of this attempt had, by `key#n`. */
  fresh: ReadonlyMap<string, FreshOutcome>
}

export interface FreshOutcome {
  effects: Effects
  /** Of its line. */
  seq: number
}

export interface IssuedCall {
  /** `key#n` */
  name: string
  label: string
  prompt: string
  /** Absent: the call must be dispatched. */
  taken: Rec | undefined
  /** There was a record, which it may not take. */
  barred: boolean
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
  const used = new Set<Rec>()
  const waiting = new Map<string, Waiting>()
  const refusedOnes = new Set<string>()
  const violations: string[] = []
  let lastFresh = 0

  function issue({ id, prompt, options }: Extract<TraceEvent, { type: 'issued' }>): void {
    const { name, refused } = facts.named.get(id)!
    if (refused) {
      refusedOnes.add(id)
      calls.set(id, { name, label: '', prompt: '', taken: undefined, barred: false, refused })
      return
    }
    const [key = '', n] = name.split('#')
    const found = choose(history.records, { key, n: Number(n), label: options.label, used })
    const taken = found !== undefined && rule.admits(found, options.cache) ? found : undefined
    if (taken !== undefined) {
      used.add(taken)
      waiting.set(id, { place: history.placeOf(taken), attempt: taken.attempt, seq: taken.seq })
    }
    const barred = found !== undefined && taken === undefined
    calls.set(id, { name, label: options.label, prompt, taken, barred, refused })
  }

  function deliver({ id, value }: Extract<TraceEvent, { type: 'delivered' }>): void {
    if (refusedOnes.delete(id)) return
    if (refusedOnes.size > 0) violations.push(`${id} came in before refusals of ${[...refusedOnes].join()}`)
    const mine = waiting.get(id)
    waiting.delete(id)
    const earlier = [...waiting].filter(([, other]) => mine === undefined || inRecordedOrder(other, mine) < 0)
    if (earlier.length > 0)
      violations.push(`${id} came in before the records of ${earlier.map(([other]) => other).join()}`)
    const call = calls.get(id)
    if (call === undefined) return
    if (call.taken === undefined) {
      const outcome = facts.fresh.get(call.name)
      if (outcome !== undefined) {
        rule.handedOver(facts.attempt, outcome.effects)
        if (outcome.seq < lastFresh)
          violations.push(`${id} came in after an outcome that became durable later`)
        lastFresh = outcome.seq
      } else
        violations.push(
          `${id} (${call.name}) came in, but it has neither a record to take nor an outcome of its own`,
        )
      return
    }
    rule.handedOver(call.taken.attempt, call.taken.effects)
    if (value !== UNSEEN && !sameValue(call.taken.value, value)) {
      violations.push(
        `${id} got ${JSON.stringify(value)}, but its record says ${JSON.stringify(call.taken.value)}`,
      )
    }
  }

  function setTimer(id: string): void {
    const place = history.placeOfTimer(facts.named.get(id)!.name)
    if (place !== undefined) waiting.set(id, { place, attempt: 0, seq: 0 })
  }

  for (const event of trace) {
    if (event.type === 'issued') issue(event)
    else if (event.type === 'delivered') deliver(event)
    else if (event.type === 'timer') setTimer(event.id)
    else if (event.type === 'cleared') waiting.delete(event.id)
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
