import { BREAKER_CAUSES, type Cause, type JournalEntry } from '@tutti/protocol'
import { BudgetError } from '../errors/errors.ts'
import { serializeError } from '../errors/tutti-error.ts'
import type { AgentOutcome } from '../ports/agent-executor.ts'
import { canonicalJson } from '../schema/canonical-json.ts'
import type { Call } from './call.ts'
import type { CallSink } from './call-sink.ts'
import { Dispatch, failure, type Settlement } from './dispatch.ts'
import { newTranscriptId } from './ids.ts'
import { retryOption } from './retry-policy.ts'
import type { RunContext } from './run-context.ts'
import { Scheduler } from './scheduler.ts'

const BREAKERS: ReadonlySet<Cause> = new Set(BREAKER_CAUSES)
const LARGEST_INLINE_CALL = 8 * 1024
const LARGEST_INLINE_RESULT = 256 * 1024

/** Why no more agents are dispatched although the script would go on. */
export interface Pause {
  cause: Cause
  message: string
  resetAt?: number
}

/**
 * Calls that are really dispatched: slots, tries, and the journal lines of their ends. An outcome reaches the
 * inbox, and any view, only after its line is durable.
 */
export class LiveCalls implements CallSink {
  readonly #context: RunContext
  readonly #scheduler: Scheduler
  /** Issued, and not yet in the inbox. */
  #open = 0
  #writes = 0
  #written: (() => void)[] = []
  #pause: Pause | undefined
  /** Why nothing is dispatched any more. */
  #closed: string | undefined
  #dispatched = 0
  #madeUp = false

  constructor(context: RunContext) {
    this.#context = context
    this.#scheduler = new Scheduler({
      concurrency: context.facts.limits.concurrency,
      begin: (call, queuedAt) => this.#begin(call, queuedAt),
      settled: (call, settlement) => this.#settled(call, settlement),
      now: () => context.ports.clock.now(),
    })
  }

  get open(): number {
    return this.#open
  }

  /** Set once the circuit breaker has opened. */
  get pause(): Pause | undefined {
    return this.#pause
  }

  get dispatched(): number {
    return this.#dispatched
  }

  /** A result of this attempt was made up by a simulating backend. */
  get madeUp(): boolean {
    return this.#madeUp
  }

  get unfinishedLabels(): string[] {
    return [...this.#scheduler.running.keys(), ...this.#scheduler.queued].map(call => call.label)
  }

  add(call: Call): void {
    this.#open++
    if (this.#closed === undefined) this.#scheduler.add(call)
    else this.#settleQueued(call, 'stopped', this.#closed)
  }

  /** Ends one running or queued call. */
  skip(labelOrIndex: string | number): boolean {
    const named = (call: Call): boolean => call.label === labelOrIndex || call.index === labelOrIndex
    for (const [call, dispatch] of this.#scheduler.running) {
      if (!named(call)) continue
      dispatch.abort('skipped', 'skipped by a person')
      return true
    }
    const call = this.#scheduler.queued.find(named)
    if (call === undefined || !this.#scheduler.remove(call)) return false
    this.#settleQueued(call, 'skipped', 'skipped by a person before it was dispatched')
    return true
  }

  /** Lets one running call begin a new try. */
  retry(labelOrIndex: string | number, goOn: boolean): boolean {
    for (const [call, dispatch] of this.#scheduler.running) {
      if (call.label !== labelOrIndex && call.index !== labelOrIndex) continue
      dispatch.retry(goOn)
      return true
    }
    return false
  }

  /** No more dispatches from this moment on; how what is queued and what runs ends is decided later. */
  hold(): void {
    this.#scheduler.hold()
  }

  /** No more dispatches. What is queued ends as stopped; what runs goes on. */
  closeQueue(reason: string): void {
    this.#closed ??= reason
    for (const call of this.#scheduler.close()) this.#settleQueued(call, 'stopped', reason)
    for (const dispatch of this.#scheduler.running.values())
      if (dispatch.waiting) dispatch.abort('stopped', reason)
  }

  /** Ends everything. */
  abort(reason: string): void {
    this.closeQueue(reason)
    for (const dispatch of this.#scheduler.running.values()) dispatch.abort('stopped', reason)
  }

  /** Resolves when nothing runs and every end is durable, or nothing can be written any more. */
  async drained(): Promise<void> {
    await this.#scheduler.idle()
    while (this.#writes > 0) await new Promise<void>(resolve => this.#written.push(resolve))
  }

  #begin(call: Call, queuedAt: number): Dispatch | undefined {
    const { ports, facts, state, writer } = this.#context
    if (this.#overBudget(call)) return undefined
    const { isolation, continues } = ports.executor.capabilities(call.backend)
    const problem = isolation ? call.source?.problem : `backend "${call.backend}" cannot isolate agents`
    if (call.options.isolation !== undefined && problem !== undefined) {
      this.#settleQueued(call, 'isolation_failed', problem)
      return undefined
    }
    this.#dispatched++
    const retry = retryOption(call.options.retries)
    const transcriptId = newTranscriptId(ports.random)
    const row = state.appear(call, queuedAt, transcriptId)
    writer.appendLater(facts.attempt, this.#startedEntry(call, transcriptId))
    return new Dispatch({
      call,
      runId: facts.runId,
      executor: ports.executor,
      writer,
      clock: ports.clock,
      random: ports.random,
      permission: ports.permission,
      timeoutMs: call.options.timeoutMs ?? ports.timeoutMs,
      stallMs: call.options.stallMs ?? ports.stallMs,
      retries: retry.max ?? ports.retries,
      goesOn: continues === true && retry.continue === true,
      transcriptId,
      row,
      changed: () => state.touch(row),
    })
  }

  #overBudget(call: Call): boolean {
    const { inbox, budget } = this.#context
    const message = budget.refusal(call.phase)
    if (message === undefined) return false
    const error = serializeError(new BudgetError(`agent "${call.label}" was not dispatched: ${message}`))
    inbox.answer({ type: 'reject', id: call.id, error, spent: 0 })
    this.#record(call, { outcome: failure('stopped', message, 'none'), tries: 0, transcriptId: '' }, () => {})
    return true
  }

  #startedEntry(call: Call, transcriptId: string): JournalEntry {
    const { writer } = this.#context
    const { key, n, index, label, phase, canonical } = call
    const large =
      call.prompt.length + JSON.stringify(call.options.schema ?? null).length > LARGEST_INLINE_CALL
    // Nobody waits for it: it only serves comparisons. The writer reports a failure through `lost`.
    if (large) writer.writeBlob(canonicalJson(canonical)).catch(() => {})
    return {
      type: 'started',
      key,
      n,
      index,
      agentId: key,
      transcriptId,
      label,
      ...(phase !== undefined && { phase }),
      call: large ? key.slice('v2:'.length) : canonical,
    }
  }

  #settled(call: Call, settlement: Settlement): void {
    const { outcome } = settlement
    this.#context.budget.spend(call.phase, outcome.usage)
    if (outcome.status === 'failed' && BREAKERS.has(outcome.cause)) this.#break(call, outcome)
    if (outcome.status === 'ok' && outcome.simulated) this.#madeUp = true
    this.#record(call, settlement, () => {
      this.#context.inbox.addFresh({ kind: 'fresh', call, settlement, outcome })
    })
  }

  #break(call: Call, outcome: Extract<AgentOutcome, { status: 'failed' }>): void {
    if (this.#pause !== undefined) return
    const { cause, message, resetAt } = outcome
    this.#pause = { cause, message, ...(resetAt !== undefined && { resetAt }) }
    this.closeQueue(`the run was paused (${cause}, agent "${call.label}") before it was dispatched`)
    this.#context.inbox.wake()
  }

  #settleQueued(call: Call, cause: Cause, message: string): void {
    this.#settled(call, { outcome: failure(cause, message, 'none'), tries: 0, transcriptId: '' })
  }

  /** `visible` runs once the line of the end is durable. */
  #record(call: Call, settlement: Settlement, visible: () => void): void {
    const { state, inbox } = this.#context
    this.#writes++
    const done = (): void => {
      this.#writes--
      if (this.#writes === 0) for (const resolve of this.#written.splice(0)) resolve()
    }
    this.#append(call, settlement).then(
      () => {
        this.#open--
        state.ended(call, settlement.outcome)
        visible()
        done()
      },
      () => {
        // The writer has reported why through `lost`; the run ends there.
        const { usage, effects } = settlement.outcome
        state.ended(call, { ...failure('stopped', 'its end could not be written', effects), usage })
        inbox.wake()
        done()
      },
    )
  }

  async #append(call: Call, settlement: Settlement): Promise<void> {
    const { writer, facts } = this.#context
    const text = settlement.outcome.status === 'ok' ? JSON.stringify(settlement.outcome.value) : ''
    const hash = text.length > LARGEST_INLINE_RESULT ? await writer.writeBlob(text) : undefined
    await writer.append(facts.attempt, this.#endEntry(call, settlement, hash))
  }

  #endEntry(call: Call, settlement: Settlement, resultHash: string | undefined): JournalEntry {
    const { outcome, tries, transcriptId } = settlement
    const common = {
      key: call.key,
      n: call.n,
      agentId: call.key,
      label: call.label,
      usage: outcome.usage,
      tries,
      effects: outcome.effects,
      ...(outcome.model !== undefined && { model: outcome.model }),
      ...(outcome.worktree && { worktree: outcome.worktree }),
      endedAt: this.#context.ports.clock.now(),
    }
    if (outcome.status === 'ok') {
      const held = resultHash === undefined ? { result: outcome.value } : { resultHash }
      return {
        type: 'result',
        ...common,
        transcriptId,
        ...held,
        ...(outcome.simulated && { simulated: true }),
      }
    }
    const { cause, message, lastText, lastInvalid, sessionId } = outcome
    return {
      type: 'failed',
      ...common,
      ...(transcriptId !== '' && { transcriptId }),
      cause,
      message,
      ...(lastText !== undefined && { lastText }),
      ...(lastInvalid !== undefined && { lastInvalid }),
      ...(sessionId !== undefined && { sessionId, backend: call.backend }),
    }
  }
}
