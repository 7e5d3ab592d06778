import {
  type FinishedAgent,
  type JsonValue,
  type RecordAgentRow,
  type RunOutput,
  type RunRecord,
  type RunStatus,
  type SerializedError,
} from '@tutti/protocol'
import { serializeError } from '../errors/tutti-error.ts'
import type { Timer } from '../ports/clock.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { CallFactory } from './call-factory.ts'
import type { Ending } from './ending.ts'
import { LiveCalls } from './live-calls.ts'
import { createCacheRule } from './replay/cache-rule.ts'
import type { RunContext } from './run-context.ts'
import { unaskedWarning } from './retried-call.ts'
import { allDeadError } from './run-error.ts'
import { firstRecord, launchedEntry, previewOf } from './run-record.ts'
import { tokensOf } from './run-state.ts'
import { ScriptEffects } from './script-effects.ts'
import { ScriptLoop } from './script-loop.ts'
import type { RunEnd, RunEvent } from './types.ts'

/** The record on disk follows a running run at most this often. */
const SAVE_EVERY_MS = 1000

/** One attempt of a run, from its launch to its durable end. */
export class Run {
  readonly #context: RunContext
  readonly #live: LiveCalls
  readonly #effects: ScriptEffects
  readonly #opening: Promise<Sandbox>
  readonly #rule = createCacheRule()
  readonly result: Promise<RunEnd>
  #sandbox: Sandbox | undefined
  #loop: ScriptLoop | undefined
  #status: RunStatus = 'running'
  #endedAt: number | undefined
  #announcedAt: number | undefined
  #stopReason: string | undefined
  #terminal = false
  #end: RunEnd | undefined
  #outcome: Partial<RunRecord> = {}
  #saveTimer: Timer | undefined
  #savedChanges = 0
  #haltDrain: (() => void) | undefined
  #value: { value: JsonValue | undefined; partial: boolean } | undefined

  constructor(context: RunContext, calls: CallFactory, opening: Promise<Sandbox>) {
    this.#context = context
    this.#opening = opening
    this.#live = new LiveCalls(context)
    this.#effects = new ScriptEffects(context, { calls, live: this.#live, rule: this.#rule })
    context.writer.lost.addEventListener('abort', () => {
      void this.#sandbox?.terminate()
      context.inbox.wake()
    })
    this.result = this.#run()
  }

  /** What a reader that comes late has missed besides the state. */
  pastEvents(): RunEvent[] {
    const events: RunEvent[] = []
    if (this.#announcedAt !== undefined) {
      events.push({ type: 'status', status: this.#status, terminal: true, at: this.#announcedAt })
    }
    if (this.#end !== undefined) events.push({ type: 'end', end: this.#end })
    return events
  }

  skip(labelOrIndex: string | number): boolean {
    return this.#terminal ? false : this.#live.skip(labelOrIndex)
  }

  retry(labelOrIndex: string | number, { continue: goOn = false }: { continue?: boolean } = {}): boolean {
    return this.#terminal ? false : this.#live.retry(labelOrIndex, goOn)
  }

  async stop(reason: string): Promise<RunEnd> {
    if (!this.#terminal && this.#stopReason === undefined) {
      this.#stopReason = reason
      this.#live.hold()
      this.#context.inbox.wake()
      void this.#sandbox?.terminate()
      this.#haltDrain?.()
    }
    return await this.result
  }

  async #run(): Promise<RunEnd> {
    this.#scheduleSave()
    let ending: Ending
    try {
      ending = await this.#script()
    } catch (error) {
      ending = { kind: 'failed', error: serializeError(error) }
    }
    if (this.#stopReason !== undefined) ending = { kind: 'stopped' }
    if (this.#context.writer.lost.aborted) {
      ending = { kind: 'lost', error: serializeError(this.#context.writer.lost.reason) }
    }
    try {
      return await this.#finish(ending)
    } catch (error) {
      return await this.#giveUp(serializeError(error))
    }
  }

  async #script(): Promise<Ending> {
    const context = this.#context
    const { facts, writer } = context
    const [sandbox] = await Promise.all([this.#opening, writer.append(facts.attempt, launchedEntry(facts))])
    this.#sandbox = sandbox
    this.#loop = new ScriptLoop({
      context,
      live: this.#live,
      effects: this.#effects,
      rule: this.#rule,
      sandbox,
      halted: () => this.#stopReason !== undefined,
      pending: () => this.#live.open > 0 || this.#effects.ticking > 0,
    })
    return this.#stopReason === undefined ? await this.#loop.run() : { kind: 'stopped' }
  }

  async #finish(first: Ending): Promise<RunEnd> {
    this.#effects.dispose()
    this.#opening.then(
      sandbox => void sandbox.terminate(),
      () => {},
    )
    const ending = await this.#settle(first)
    if (ending.kind === 'lost') return await this.#giveUp(ending.error)
    this.#judge(ending)
    if (ending.kind === 'stopped') await this.#announceStop()
    await this.#live.drained()
    await this.#write()
    if (ending.kind !== 'stopped') this.#announce()
    return await this.#close()
  }

  /** Waits for agents in flight: paid work is not thrown away. Only a stop ends them early. */
  async #settle(ending: Ending): Promise<Ending> {
    if (ending.kind === 'stopped' || ending.kind === 'lost') return ending
    this.#loop?.takeRemaining(ending.kind === 'returned')
    this.#tellUnused()
    this.#tellNotAsked()
    if (ending.kind === 'failed') this.#live.closeQueue('the run failed before it was dispatched')
    const left = this.#live.unfinishedLabels
    if (left.length > 0) this.#context.state.warn(leftWarning(ending.kind, left))
    const { lost } = this.#context.writer
    await Promise.race([
      this.#live.drained(),
      new Promise<void>(resolve => {
        this.#haltDrain = resolve
        if (lost.aborted) resolve()
        else lost.addEventListener('abort', () => resolve())
      }),
    ])
    if (lost.aborted) return { kind: 'lost', error: serializeError(lost.reason) }
    if (this.#stopReason !== undefined) return { kind: 'stopped' }
    return this.#live.pause === undefined || ending.kind === 'failed' ? ending : { kind: 'paused' }
  }

  #tellNotAsked(): void {
    const { again, state } = this.#context
    if (again === undefined || again.asked) return
    state.warn(unaskedWarning(again))
  }

  /** What could not be taken over from another run is listed, never guessed. */
  #tellUnused(): void {
    const unused = this.#context.reuse?.unused() ?? []
    if (unused.length === 0) return
    const more = unused.length > 20 ? [`and ${unused.length - 20} more`] : []
    const list = [...unused.slice(0, 20), ...more].map(line => `\n  ${line}`).join('')
    this.#context.state.warn(`${unused.length} results of the other run were not used:${list}`)
  }

  #judge(ending: Exclude<Ending, { kind: 'lost' }>): void {
    const { state } = this.#context
    this.#terminal = true
    this.#endedAt = this.#context.ports.clock.now()
    switch (ending.kind) {
      case 'stopped':
        this.#status = 'killed'
        return
      case 'paused': {
        const { pause } = this.#live
        this.#status = 'paused'
        this.#outcome = {
          ...(pause !== undefined && { pausedBy: pause.cause }),
          ...(pause?.resetAt !== undefined && { resetAt: pause.resetAt }),
        }
        return
      }
      case 'failed':
        this.#status = 'failed'
        this.#outcome = { error: ending.error }
        return
      case 'returned': {
        const { census, failures } = state
        const dead = census.ok + census.cached === 0 && state.deadCalls > 0
        this.#status = dead ? 'failed' : 'completed'
        this.#outcome = dead ? { error: allDeadError(census, failures) } : {}
        this.#value = { value: ending.value, partial: dead }
        if (ending.resultError !== undefined) this.#outcome.resultError = ending.resultError
        const preview = previewOf(ending.value)
        if (preview !== undefined) this.#outcome.resultPreview = preview
      }
    }
  }

  /** A stop is told at once; its agents settle after it. */
  async #announceStop(): Promise<void> {
    await this.#context.writer.writeOutput(JSON.stringify(this.#output()))
    this.#announce()
    this.#live.abort(`the run was stopped: ${this.#stopReason ?? 'no reason given'}`)
  }

  #announce(): void {
    const at = this.#endedAt ?? this.#context.ports.clock.now()
    this.#announcedAt = at
    this.#context.feed.emit({ type: 'status', status: this.#status, terminal: true, at })
  }

  async #write(): Promise<void> {
    const { writer, facts, state } = this.#context
    this.#saveTimer?.cancel()
    this.#saveTimer = undefined
    await writer.writeOutput(`${JSON.stringify(this.#output())}\n`)
    await writer.append(facts.attempt, {
      type: 'run_end',
      status: this.#status,
      ...(this.#outcome.error !== undefined && { error: this.#outcome.error }),
      endedAt: this.#endedAt ?? 0,
      census: { ...state.census },
    })
    await writer.writeRecord(this.snapshot())
  }

  async #close(): Promise<RunEnd> {
    const { writer, feed } = this.#context
    await writer.close()
    const end = this.#makeEnd()
    this.#end = end
    feed.emit({ type: 'end', end })
    feed.end()
    return end
  }

  /** Nothing can be written any more: the agents are ended and the caller is told. */
  async #giveUp(error: SerializedError): Promise<RunEnd> {
    this.#terminal = true
    this.#status = 'failed'
    this.#endedAt = this.#context.ports.clock.now()
    this.#outcome = { ...this.#outcome, error }
    this.#saveTimer?.cancel()
    this.#live.abort(`the run can no longer be written: ${error.message}`)
    await this.#live.drained()
    this.#announce()
    return await this.#close().catch(() => this.#makeEnd())
  }

  #makeEnd(): RunEnd {
    const { facts, state } = this.#context
    const record = this.snapshot()
    const { value, partial } = this.#value ?? { value: undefined, partial: false }
    return {
      runId: facts.runId,
      taskId: facts.taskId,
      status: this.#status,
      ...(value !== undefined && (partial ? { partialResult: value } : { value })),
      ...(record.resultError !== undefined && { resultError: record.resultError }),
      ...(record.error !== undefined && { error: record.error }),
      degraded: record.degraded,
      ...(record.pausedBy !== undefined && { pausedBy: record.pausedBy }),
      ...(record.resetAt !== undefined && { resetAt: record.resetAt }),
      dispatched: this.#live.dispatched,
      tokens: tokensOf(state.usage),
      record,
    }
  }

  #output(): RunOutput {
    const { facts } = this.#context
    const { value, partial } = this.#value ?? { value: undefined, partial: false }
    const { resultError, error } = this.#outcome
    return {
      runId: facts.runId,
      status: this.#status,
      attempt: facts.attempt,
      ...(value !== undefined && (partial ? { partialResult: value } : { result: value })),
      ...(resultError !== undefined && { resultError }),
      ...(error !== undefined && { error }),
      ...(this.#simulated && { simulated: true }),
      ...(this.#status !== 'completed' && { finished: finishedAgents(this.#context.state.rows) }),
    }
  }

  get #simulated(): boolean {
    return this.#live.madeUp || (this.#loop?.madeUp ?? false)
  }

  snapshot(): RunRecord {
    const { facts, writer, state, ports } = this.#context
    const { census, failures } = state
    const degraded =
      this.#status === 'completed' && (census.failed + census.stopped > 0 || failures.length > 0)
    const now = ports.clock.now()
    const usage = { ...state.usage, durationMs: (this.#endedAt ?? now) - facts.attemptStartedAt }
    return {
      ...firstRecord(facts, writer.locations),
      ...state.progress(),
      usage,
      status: this.#status,
      heartbeatAt: now,
      degraded,
      ...(this.#endedAt !== undefined && { endedAt: this.#endedAt }),
      ...(this.#simulated && { simulated: true }),
      ...this.#outcome,
    }
  }

  #scheduleSave(): void {
    const { ports, state, writer } = this.#context
    this.#saveTimer = ports.clock.timer(SAVE_EVERY_MS, () => {
      if (state.changes !== this.#savedChanges) {
        this.#savedChanges = state.changes
        writer.writeRecord(this.snapshot()).catch(() => {
          // The writer reports it through `lost`.
        })
      }
      this.#scheduleSave()
    })
  }
}

function finishedAgents(rows: RecordAgentRow[]): FinishedAgent[] {
  return rows
    .filter(row => row.state === 'done' || row.state === 'cached')
    .map(({ index, label, phaseTitle, resultPreview }) => ({
      index,
      label,
      ...(phaseTitle !== undefined && { phase: phaseTitle }),
      ...(resultPreview !== undefined && { preview: resultPreview }),
    }))
}

function leftWarning(kind: Ending['kind'], labels: string[]): string {
  const shown = labels.slice(0, 5).map(label => `"${label}"`)
  const more = labels.length > shown.length ? ` and ${labels.length - shown.length} more` : ''
  const what = kind === 'returned' ? 'returned' : kind === 'paused' ? 'was paused' : 'failed'
  const agents = labels.length === 1 ? 'an agent' : `${labels.length} agents`
  return `the script ${what} with ${agents} still in flight, waited for: ${shown.join(', ')}${more}`
}
