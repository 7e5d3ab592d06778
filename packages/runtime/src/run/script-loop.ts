import type { DeliveredEntry, JsonValue, ResultEntry } from '@tutti/protocol'
import { DeadlockError } from '../errors/errors.ts'
import { serializeError } from '../errors/tutti-error.ts'
import type { AgentSuccess } from '../ports/agent-executor.ts'
import type { Delivery, PumpResult, Sandbox } from '../sandbox/types.ts'
import type { Ending } from './ending.ts'
import type { CallSink } from './call-sink.ts'
import type { CacheRule } from './replay/cache-rule.ts'
import type { Entry } from './replay/inbox.ts'
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

/**
 * Drives one script from its first line to its end: hands things in one at a time, each followed by a pump,
 * and writes down what was handed over in which order.
 */
export class ScriptLoop {
  readonly #options: ScriptLoopOptions
  /** Output tokens of everything handed over so far, replayed ones included. */
  #spent = 0
  #madeUp = false

  constructor(options: ScriptLoopOptions) {
    this.#options = options
  }

  /** A replayed result had been made up by a simulating backend. */
  get madeUp(): boolean {
    return this.#madeUp
  }

  async run(): Promise<Ending> {
    const { effects, sandbox } = this.#options
    let delivery: Delivery | undefined = { type: 'start' }
    while (delivery !== undefined) {
      const pump: PumpResult = await sandbox.deliver(delivery)
      await effects.carryOut(pump.effects)
      const { state } = pump
      if (state.status === 'threw') return { kind: 'failed', error: runErrorOf(state.error) }
      if (state.status === 'returned') {
        const { value, resultError } = state
        return { kind: 'returned', value, ...(resultError !== undefined && { resultError }) }
      }
      const next = await this.#next()
      if ('kind' in next) return next
      delivery = next.delivery
    }
    return { kind: 'stopped' }
  }

  /** Calls that took a record which nobody waits for any more: they are shown, and not handed over. */
  takeRemaining(): void {
    const { inbox, state } = this.#options.context
    for (let entry = inbox.next(); entry !== undefined; entry = inbox.next()) {
      if (entry.kind === 'immediate' && entry.delivery.type === 'reject') {
        state.warn(`nobody awaited a call that was refused: ${entry.delivery.error.message}`)
      }
      if (entry.kind !== 'record') continue
      const { result, transcriptId } = entry.record.entry
      state.cached(entry.call, successOf(entry.record.entry, result ?? null), transcriptId)
    }
  }

  async #next(): Promise<{ delivery: Delivery } | Ending> {
    const { context, live, halted, pending } = this.#options
    const { inbox, writer } = context
    for (;;) {
      if (halted()) return { kind: 'stopped' }
      if (writer.lost.aborted) return { kind: 'lost', error: serializeError(writer.lost.reason) }
      if (live.pause !== undefined) return { kind: 'paused' }
      const entry = inbox.next()
      if (entry !== undefined) {
        const delivery = await this.#enter(entry)
        if (delivery !== undefined) return { delivery }
      } else if (!pending()) {
        return { kind: 'failed', error: serializeError(deadlock()) }
      } else await inbox.changed()
    }
  }

  async #enter(entry: Entry): Promise<Delivery | undefined> {
    const { context, rule, effects } = this.#options
    switch (entry.kind) {
      case 'immediate':
        return { ...entry.delivery, ...('spent' in entry.delivery && { spent: this.#spent }) }
      case 'timer':
        effects.forget(entry.id)
        if (entry.cleared) return undefined
        this.#delivered({ name: entry.name })
        return { type: 'resolve', id: entry.id, value: null, spent: this.#spent }
      case 'fresh': {
        const { call, settlement, outcome } = entry
        rule.handedOver(context.facts.attempt, outcome.effects)
        this.#delivered({ key: call.key, n: call.n })
        this.#spent += outcome.usage.output
        return deliveryOf(call, { outcome, tries: settlement.tries, spent: this.#spent })
      }
      case 'record':
        return await this.#replayed(entry)
    }
  }

  /** Undefined when the record's value is gone: then the call is dispatched. */
  async #replayed(entry: Extract<Entry, { kind: 'record' }>): Promise<Delivery | undefined> {
    const { context, rule, live } = this.#options
    const { call, record } = entry
    const { effects, usage, tries, simulated, transcriptId } = record.entry
    const value = await this.#valueOf(entry)
    if (value === undefined) {
      live.add(call, 'no record')
      return undefined
    }
    if (simulated) this.#madeUp = true
    if (record.entry.origin !== undefined && record.seq === 0) {
      await context.writer.append(context.facts.attempt, {
        ...record.entry,
        endedAt: context.ports.clock.now(),
      })
    }
    rule.handedOver(record.attempt, effects)
    const from = record.n === call.n ? undefined : { attempt: record.attempt, n: record.n }
    this.#delivered({ key: call.key, n: call.n, ...(from !== undefined && { from }) })
    this.#spent += usage.output
    const success = successOf(record.entry, value)
    context.state.cached(call, success, transcriptId)
    return deliveryOf(call, { outcome: success, tries, spent: this.#spent })
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

function successOf({ usage, effects, model }: ResultEntry, value: JsonValue): AgentSuccess {
  return { status: 'ok', value, usage, effects, ...(model !== undefined && { model }) }
}

function deadlock(): DeadlockError {
  return new DeadlockError(
    'the script waits on nothing: no agent, timer or child workflow is in flight and its promise is unresolved',
    { hint: 'look for an await on a promise that nothing settles' },
  )
}
