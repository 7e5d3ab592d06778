import type { JsonValue, WorkflowMeta } from '@tutti/protocol'
import { prepareArgs } from '../check/args.ts'
import { checkScript } from '../check/check-script.ts'
import { scriptInvalid } from '../check/script-invalid.ts'
import { AgentLimitError, ChildWorkflowError, WorkflowInputError } from '../errors/errors.ts'
import { withPlace } from './run-error.ts'
import { serializeError } from '../errors/tutti-error.ts'
import type { Timer } from '../ports/clock.ts'
import type { WorkflowRef, WorkflowText } from '../ports/workflow-source.ts'
import type { ScriptEffect } from '../sandbox/types.ts'
import type { Call } from './call.ts'
import type { CallFactory } from './call-factory.ts'
import type { Barrier, CallSink } from './call-sink.ts'
import type { CacheRule } from './replay/cache-rule.ts'
import type { Entry } from './replay/inbox.ts'
import type { RecordedResult } from './replay/record-index.ts'
import type { RunContext } from './run-context.ts'

type Effect<T extends ScriptEffect['type']> = Extract<ScriptEffect, { type: T }>

/** Carries out what the script did during a pump, in order. */
export class ScriptEffects {
  readonly #context: RunContext
  readonly #calls: CallFactory
  readonly #live: CallSink
  readonly #rule: CacheRule
  readonly #timers = new Map<number, { timer?: Timer; entry: Extract<Entry, { kind: 'timer' }> }>()
  readonly #timerCounts = new Map<string, number>()
  #ticking = 0
  #children = 0

  constructor(context: RunContext, parts: { calls: CallFactory; live: CallSink; rule: CacheRule }) {
    this.#context = context
    this.#calls = parts.calls
    this.#live = parts.live
    this.#rule = parts.rule
  }

  /** Timers that have not fired yet. */
  get ticking(): number {
    return this.#ticking
  }

  async carryOut(effects: ScriptEffect[]): Promise<void> {
    for (const effect of effects) await this.#one(effect)
  }

  /** A timer entered the script. */
  forget(id: number): void {
    this.#timers.delete(id)
  }

  /** Cancels what still ticks. */
  dispose(): void {
    for (const { timer } of this.#timers.values()) timer?.cancel()
  }

  async #one(effect: ScriptEffect): Promise<void> {
    const { state } = this.#context
    switch (effect.type) {
      case 'agent':
        return await this.#agent(effect)
      case 'workflow':
        return await this.#workflow(effect)
      case 'timer':
        return this.#timer(effect)
      case 'timer-cleared':
        return this.#timerCleared(effect)
      case 'phase':
        state.phase(effect.title)
        return
      case 'log':
        return state.log(effect.message)
      case 'dropped':
        return this.#dropped(effect)
    }
  }

  async #agent(effect: Effect<'agent'>): Promise<void> {
    const { facts, records, reuse, inbox, state, again } = this.#context
    let call: Call
    try {
      call = await this.#calls.make(effect)
      if (this.#calls.count > facts.limits.agents) {
        throw new AgentLimitError(
          `agent "${call.label}" is over the limit of ${facts.limits.agents} calls per run; raise limits.agents (--max-agents) on resume, finished work is kept`,
        )
      }
    } catch (error) {
      inbox.answer({ type: 'reject', id: effect.id, error: serializeError(error), spent: 0 })
      return
    }
    state.census.total++
    if (again?.key === call.key && again.n === call.n) {
      again.asked = true
      this.#live.add({ ...call, ...(again.goingOn && { goingOn: again.goingOn }) }, 'retried')
      return
    }
    const record = records.find(call.key, call.n, call.label) ?? reuse?.find(call)
    const barrier = record === undefined ? 'no record' : this.#barrier(call, record)
    if (record !== undefined && barrier === undefined) {
      record.taken = true
      if (record.entry.origin !== undefined && record.seq === 0) this.#import(record)
      inbox.addRecorded(record.order, { kind: 'record', call, record })
    } else this.#live.add(call, barrier ?? 'no record')
  }

  /** It is this run's from now on, whether or not the script comes to it. */
  #import(record: RecordedResult): void {
    const { writer, facts, ports } = this.#context
    record.imported = writer.append(facts.attempt, { ...record.entry, endedAt: ports.clock.now() })
    // The writer reports a failure through `lost`; whoever hands the result over waits for it.
    record.imported.catch(() => {})
  }

  /** Why a call may not take a record of its key. */
  #barrier(call: Call, record: RecordedResult): Barrier | undefined {
    if (call.cache === 'never') return 'cache: never'
    if (call.cache === 'content' || this.#rule.admits(record.attempt, record.entry.effects)) return undefined
    return 'after effects'
  }

  async #workflow(effect: Effect<'workflow'>): Promise<void> {
    const { ports, facts, inbox, state } = this.#context
    try {
      const text = await ports.workflows.resolve(workflowRef(effect.ref), facts.script.path)
      const { meta, args } = await checkedChild(effect, text)
      const path = `${++this.#children}:${meta.name}`
      this.#calls.addScript(path, meta)
      state.declare(meta.phases ?? [])
      inbox.answer({
        type: 'child',
        id: effect.id,
        path,
        name: meta.name,
        source: text.source,
        ...(args !== undefined && { args }),
      })
    } catch (error) {
      inbox.answer({ type: 'reject', id: effect.id, error: serializeError(error), spent: 0 })
    }
  }

  #timer(effect: Effect<'timer'>): void {
    const { writer, facts, records, inbox, ports } = this.#context
    const ordinal = (this.#timerCounts.get(effect.path) ?? 0) + 1
    this.#timerCounts.set(effect.path, ordinal)
    const name = `timer:${effect.path}:${ordinal}`
    writer.appendLater(facts.attempt, { type: 'timer', name, delayMs: effect.delayMs })
    const entry = { kind: 'timer' as const, id: effect.id, name }
    const order = records.timerOrder(name)
    if (order !== undefined) {
      this.#timers.set(effect.id, { entry })
      inbox.addRecorded(order, entry)
      return
    }
    this.#ticking++
    const timer = ports.clock.timer(effect.delayMs, () => {
      this.#ticking--
      this.#timers.set(effect.id, { entry })
      inbox.addFresh(entry)
    })
    this.#timers.set(effect.id, { timer, entry })
  }

  #timerCleared(effect: Effect<'timer-cleared'>): void {
    const known = this.#timers.get(effect.id)
    if (known === undefined) return
    known.entry.cleared = true
    if (known.timer === undefined) return
    known.timer.cancel()
    this.#ticking--
    this.#timers.delete(effect.id)
  }

  #dropped(effect: Effect<'dropped'>): void {
    const where = effect.kind === 'thunk' ? `parallel[${effect.index}]` : `pipeline[${effect.index}]`
    const { kind, index, error } = effect
    this.#context.state.fail({ kind, index, message: `${where} failed: ${withPlace(error)}` })
  }
}

function workflowRef(ref: JsonValue): WorkflowRef {
  if (typeof ref === 'string' && ref.trim() !== '') return { name: ref }
  if (typeof ref === 'object' && ref !== null && !Array.isArray(ref)) {
    if (typeof ref['scriptPath'] === 'string') return { scriptPath: ref['scriptPath'] }
    if (typeof ref['name'] === 'string') return { name: ref['name'] }
  }
  throw new WorkflowInputError(
    'option-invalid',
    'workflow(): the first argument must be the name of a saved workflow or { scriptPath }',
  )
}

/** Throws ChildWorkflowError when the child cannot start. */
async function checkedChild(effect: Effect<'workflow'>, { source, path }: WorkflowText): Promise<Child> {
  try {
    const check = checkScript(source)
    if (!check.ok) throw scriptInvalid(check.findings, path ?? 'workflow')
    return { meta: check.meta, args: await prepareArgs(effect.args, check.meta) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new ChildWorkflowError(`workflow(): the child could not start: ${message}`, { cause: error })
  }
}

interface Child {
  meta: WorkflowMeta
  args: JsonValue | undefined
}
