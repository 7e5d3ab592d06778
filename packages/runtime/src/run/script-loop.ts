import type { DeliveredEntry, JsonValue, ResultEntry } from '@tutti/protocol'
import { DeadlockError } from '../errors/errors.ts'
import { serializeError } from '../errors/tutti-error.ts'
import type { AgentSuccess } from '../ports/agent-executor.ts'
import type { Delivery, PumpResult, Sandbox } from '../sandbox/types.ts'
import type { Ending } from './ending.ts'
import type { CallSink } from './call-sink.ts'
import type { CacheRule } from './replay/cache-rule.ts'
import type { Entry, Turn } from './replay/inbox.ts'
import type { RunContext } from './run-context.ts'
import { runErrorOf } from './run-error.ts'
import type { ScriptEffects } from './script-effects.ts'
import { deliveryOf } from './settle-value.ts'

export interface ScriptLoopOptions {
  context: RunContext
  live: CallSink
  effects: ScriptEffects
  rule: CacheRule
  sandbox: Sandbox
  /** Set once a stop was asked for; the inbox is woken with it. */
  halted: () => boolean
  /** Whether something may still come in although the inbox is empty. */
  pending: () => boolean
}

/** What the script does not come to is prepared again, so turns are not longer. */
const MOST_IN_TURN = 64

/** Something ready to enter; `commit` once it has. */
interface Entering {
  delivery: Delivery
  commit: () => void
}

/**
 * Drives one script from its first line to its end: hands things in one at a time, each followed by a pump,
 * and writes down what was handed over in which order.
 */
export class ScriptLoop {
  readonly #options: ScriptLoopOptions
  /** Output tokens of everything handed over so far, replayed ones included. */
  #spent = 0
  #madeUp = false
  /** Entries tried at once: grows while the script only takes them, and falls back when it does more. */
  #most = 1

  constructor(options: ScriptLoopOptions) {
    this.#options = options
  }

  /** A replayed result had been made up by a simulating backend. */
  get madeUp(): boolean {
    return this.#madeUp
  }

  async run(): Promise<Ending> {
    const { effects, sandbox } = this.#options
    let pump = await sandbox.deliver({ type: 'start' })
    for (;;) {
      await effects.carryOut(pump.effects)
      const { state } = pump
      if (state.status === 'threw') return { kind: 'failed', error: runErrorOf(state.error) }
      if (state.status === 'returned') {
        const { value, resultError } = state
        return { kind: 'returned', value, ...(resultError !== undefined && { resultError }) }
      }
      const next = await this.#next()
      if ('kind' in next) return next
      pump = next
    }
  }

  /**
   * Calls that took a record which nobody waits for any more: they are shown, and not handed over. Refusals of a
   * script that returned are told.
   */
  takeRemaining(tellRefused: boolean): void {
    const { inbox, state } = this.#options.context
    for (let entry = inbox.next(); entry !== undefined; entry = inbox.next()) {
      if (tellRefused && entry.kind === 'immediate' && entry.delivery.type === 'reject') {
        state.warn(`nobody awaited a call that was refused: ${entry.delivery.error.message}`)
      }
      if (entry.kind !== 'record') continue
      const { result, transcriptId } = entry.record.entry
      state.cached(entry.call, successOf(entry.record.entry, result ?? null), transcriptId)
    }
  }

  /** Hands the next thing in; the result of its pump, or why there is none. */
  async #next(): Promise<PumpResult | Ending> {
    const { context, live, sandbox, halted, pending } = this.#options
    const { inbox, writer } = context
    for (;;) {
      if (halted()) return { kind: 'stopped' }
      if (writer.lost.aborted) return { kind: 'lost', error: serializeError(writer.lost.reason) }
      if (live.pause !== undefined) return { kind: 'paused' }
      const turns = inbox.nextInTurn(this.#most)
      if (turns.length > 0) {
        const pump = await this.#enterInTurn(turns)
        if (pump !== undefined) return pump
        continue
      }
      const entry = inbox.next()
      if (entry !== undefined) {
        const entering = await this.#prepare(entry)
        if (entering === undefined) continue
        entering.commit()
        return await sandbox.deliver(entering.delivery)
      }
      if (!pending()) return { kind: 'failed', error: serializeError(deadlock()) }
      await inbox.changed()
    }
  }

  /**
   * Entries in their order: as long as the script only takes them, nothing else could have entered between two
   * of them. What it did not come to goes back.
   */
  async #enterInTurn(turns: Turn[]): Promise<PumpResult | undefined> {
    const { sandbox, context } = this.#options
    const spentBefore = this.#spent
    const entering: (Entering & { from: Turn })[] = []
    for (const from of turns) {
      const prepared = await this.#prepare(from.entry)
      if (prepared !== undefined) entering.push({ ...prepared, from })
    }
    this.#spent = spentBefore
    if (entering.length === 0) return undefined
    const pump = await sandbox.deliverInTurn(entering.map(one => one.delivery))
    for (const one of entering.slice(0, pump.taken)) one.commit()
    const left = entering.slice(pump.taken).map(one => one.from)
    context.inbox.putBack(left)
    this.#most = left.length > 0 ? 1 : Math.min(MOST_IN_TURN, this.#most * 2)
    return pump
  }

  /** What an entry is to the script. Undefined when it does not enter after all. */
  async #prepare(entry: Entry): Promise<Entering | undefined> {
    switch (entry.kind) {
      case 'immediate':
        return {
          delivery: { ...entry.delivery, ...('spent' in entry.delivery && { spent: this.#spent }) },
          commit: () => {},
        }
      case 'timer':
        return this.#timer(entry)
      case 'fresh':
        return this.#fresh(entry)
      case 'record':
        return await this.#replayed(entry)
    }
  }

  #timer(entry: Extract<Entry, { kind: 'timer' }>): Entering | undefined {
    if (entry.cleared) return undefined
    return {
      delivery: { type: 'resolve', id: entry.id, value: null, spent: this.#spent },
      commit: () => {
        this.#options.effects.forget(entry.id)
        this.#delivered({ name: entry.name })
      },
    }
  }

  #fresh({ call, settlement, outcome }: Extract<Entry, { kind: 'fresh' }>): Entering {
    const { context, rule } = this.#options
    this.#spent += outcome.usage.output
    const spent = this.#spent
    return {
      delivery: deliveryOf(call, { outcome, tries: settlement.tries, spent }),
      commit: () => {
        this.#spent = spent
        rule.handedOver(context.facts.attempt, outcome.effects)
        context.trees.handedOver(call, outcome, settlement.transcriptId)
        this.#delivered({ key: call.key, n: call.n })
      },
    }
  }

  /** Undefined when the record's value is gone: then the call is dispatched. */
  async #replayed(entry: Extract<Entry, { kind: 'record' }>): Promise<Entering | undefined> {
    const { context, rule, live } = this.#options
    const { call, record } = entry
    const { effects, usage, tries, simulated, transcriptId } = record.entry
    const value = await this.#valueOf(entry)
    if (value === undefined) {
      live.add(call, 'no record')
      return undefined
    }
    await record.imported
    const success = successOf(record.entry, value)
    this.#spent += usage.output
    const spent = this.#spent
    return {
      delivery: deliveryOf(call, { outcome: success, tries, spent }),
      commit: () => {
        this.#spent = spent
        if (simulated) this.#madeUp = true
        rule.handedOver(record.attempt, effects)
        context.trees.handedOver(call, success, transcriptId)
        const from = record.n === call.n ? undefined : { attempt: record.attempt, n: record.entry.n }
        this.#delivered({ key: call.key, n: call.n, ...(from !== undefined && { from }) })
        context.state.cached(call, success, transcriptId)
      },
    }
  }

  async #valueOf({ call, record }: Extract<Entry, { kind: 'record' }>): Promise<JsonValue | undefined> {
    const { ports, facts, state } = this.#options.context
    const { result, resultHash } = record.entry
    if (resultHash === undefined) return result ?? null
    try {
      return JSON.parse(await ports.store.readBlob(facts.runId, resultHash)) as JsonValue
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      state.warn(`the recorded result of "${call.label}" could not be read (${reason}); the agent runs again`)
      return undefined
    }
  }

  #delivered(what: Omit<DeliveredEntry, 'type'>): void {
    const { writer, facts } = this.#options.context
    writer.appendLater(facts.attempt, { type: 'delivered', ...what })
  }
}

function successOf({ usage, effects, model, worktree }: ResultEntry, value: JsonValue): AgentSuccess {
  return {
    status: 'ok',
    value,
    usage,
    effects,
    ...(model !== undefined && { model }),
    ...(worktree && { worktree }),
  }
}

function deadlock(): DeadlockError {
  return new DeadlockError(
    'the script waits on nothing: no agent, timer or child workflow is in flight and its promise is unresolved',
    { hint: 'look for an await on a promise that nothing settles' },
  )
}
