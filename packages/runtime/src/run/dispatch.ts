import type { AgentUsage, Cause, Effects, JsonValue, RecordAgentRow, WorktreeReport } from '@tutti/protocol'
import { isTuttiError } from '../errors/tutti-error.ts'
import type {
  AgentCall,
  AgentContext,
  AgentEvent,
  AgentExecutor,
  AgentFailure,
  AgentIsolation,
  AgentOutcome,
  AskPermission,
} from '../ports/agent-executor.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { RunWriter, TranscriptSink } from '../ports/run-store.ts'
import type { Call } from './call.ts'
import { goOnFrom, type GoingOn } from './going-on.ts'
import { newTranscriptId } from './ids.ts'
import { backoffMs, extraTries, retryClass } from './retry-policy.ts'
import { addUsage, noUsage } from './run-state.ts'
import { StallWatch } from './stall-watch.ts'
import { checkedOutcome, createSubmissions, retryPrompt } from './structured-output.ts'

/** An aborted agent that has not ended by then is given up. */
const GRACE_MS = 2000

export interface DispatchOptions {
  call: Call
  runId: string
  executor: AgentExecutor
  writer: RunWriter
  clock: Clock
  random: Random
  permission: AskPermission | undefined
  timeoutMs: number | undefined
  stallMs: number
  retries: number | undefined
  /** Further tries go on with the conversation of the one before them, where it left a session. */
  goesOn: boolean
  transcriptId: string
  row: RecordAgentRow
  /** The row changed. */
  changed: () => void
}

/** How a call ended, after all its tries. */
export interface Settlement {
  outcome: AgentOutcome
  tries: number
  transcriptId: string
}

/** Runs one call until it has an outcome. */
export class Dispatch {
  readonly result: Promise<Settlement>
  readonly #options: DispatchOptions
  #abortion: { cause: Cause; message: string } | undefined
  #onAbort: (() => void) | undefined
  #onRetry: (() => void) | undefined
  #again: { goOn: boolean } | undefined
  #waiting = false

  constructor(options: DispatchOptions) {
    this.#options = options
    this.result = this.#run()
  }

  /** Between two tries: nothing is being paid for. */
  get waiting(): boolean {
    return this.#waiting
  }

  /** Ends the call with `cause`; the first one counts. */
  abort(cause: Cause, message: string): void {
    if (this.#abortion !== undefined) return
    this.#abortion = { cause, message }
    this.#onAbort?.()
  }

  /** Ends the current try and begins another at once; it does not count against the number of tries. */
  retry(goOn: boolean): void {
    if (this.#abortion !== undefined) return
    this.#again = { goOn }
    this.#onRetry?.()
  }

  async #run(): Promise<Settlement> {
    const { clock, timeoutMs } = this.#options
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.timer(timeoutMs, () => this.abort('timeout', `took longer than timeoutMs (${timeoutMs} ms)`))
    try {
      return await this.#tries()
    } finally {
      timer?.cancel()
    }
  }

  async #tries(): Promise<Settlement> {
    const { call, random, row } = this.#options
    const used = new Map<string, number>()
    let usage: AgentUsage = noUsage()
    let effects: Effects = 'none'
    let worktree: WorktreeReport | undefined
    let transcriptId = this.#options.transcriptId
    let prompt = call.prompt
    let goingOn = call.goingOn
    let eventsBefore = -1
    for (let attempt = 1; ; attempt++) {
      if (attempt > 1) {
        transcriptId = newTranscriptId(random)
        Object.assign(row, { attempt, transcriptId })
        this.#options.changed()
      }
      const tried = await this.#once(this.#agentCall({ attempt, prompt, transcriptId, goingOn }))
      usage = addUsage(usage, tried.outcome.usage)
      effects = worse(effects, tried.outcome.effects)
      worktree = tried.outcome.worktree ?? worktree
      const outcome = { ...tried.outcome, usage, effects, ...(worktree && { worktree }) }
      // The tree that is told is of an earlier try: the conversation was not there.
      if (worktree && !tried.outcome.worktree) delete outcome.sessionId
      const end = { outcome, tries: attempt, transcriptId }
      if (outcome.status === 'ok' || this.#abortion !== undefined) return end
      if (this.#again) {
        goingOn = this.#again.goOn ? this.#goOn(tried.outcome) : undefined
        this.#again = undefined
        row.lastAttemptReason = 'retried by a person'
        continue
      }
      const { cause } = outcome
      const reasons = retryPrompt(call, outcome, tried.inLoop)
      const allowed = reasons === undefined ? extraTries(cause, this.#options.retries) : 1
      const count = (used.get(retryClass(cause)) ?? 0) + 1
      const stuck = cause === 'stalled' && tried.events <= eventsBefore
      if (count > allowed || stuck) return end
      used.set(retryClass(cause), count)
      eventsBefore = cause === 'stalled' ? tried.events : -1
      if (reasons !== undefined) prompt = reasons
      goingOn = this.#options.goesOn && reasons === undefined ? this.#goOn(tried.outcome) : undefined
      row.lastAttemptReason = cause
      this.#options.changed()
      const wait = backoffMs({ cause, count, retryAfterMs: outcome.retryAfterMs }, random)
      if (!(await this.#pause(wait))) return this.#abandoned(end)
    }
  }

  /** Undefined: the next try begins anew. */
  #goOn(outcome: AgentOutcome): GoingOn | undefined {
    const { call } = this.#options
    if (outcome.status === 'ok') return undefined
    const found = goOnFrom(outcome, { isolated: call.options.isolation !== undefined, required: false })
    return typeof found === 'string' ? undefined : found
  }

  /** Aborted while it waited for its next try: the try before it stays the reason for having failed. */
  #abandoned(end: Settlement): Settlement {
    const abortion = this.#abortion
    if (abortion === undefined || end.outcome.status === 'ok') return end
    const message = `${abortion.message}; before that: ${end.outcome.message}`
    return { ...end, outcome: { ...end.outcome, cause: abortion.cause, message } }
  }

  /** False when aborted meanwhile. */
  async #pause(ms: number): Promise<boolean> {
    if (ms > 0) {
      this.#waiting = true
      await new Promise<void>(resolve => {
        const timer = this.#options.clock.timer(ms, resolve)
        this.#onAbort = () => {
          timer.cancel()
          resolve()
        }
        this.#onRetry = this.#onAbort
      })
      this.#waiting = false
    }
    this.#again = undefined
    this.#onAbort = this.#onRetry = undefined
    return this.#abortion === undefined
  }

  async #once(agentCall: AgentCall): Promise<Tried> {
    const { call, runId, executor, writer, clock, stallMs, permission } = this.#options
    const controller = new AbortController()
    const inLoop = executor.capabilities(call.backend).schema === 'loop'
    const submissions = call.validator === undefined ? undefined : createSubmissions(call.validator)
    const watch = new StallWatch(clock, stallMs, () => stall())
    let transcript: TranscriptSink | undefined
    let stalled = false
    let giveUp: (outcome: AgentOutcome) => void = () => {}
    const givenUp = new Promise<AgentOutcome>(resolve => (giveUp = resolve))
    let grace: { cancel(): void } | undefined

    const context: AgentContext = {
      signal: controller.signal,
      ...(submissions !== undefined && inLoop && { submit: (value: JsonValue) => submissions.submit(value) }),
      ...(permission && {
        permission: async question => {
          const { index, label } = call
          return await watch.during(permission(question, { runId, index, label, signal: controller.signal }))
        },
      }),
      transcript: line => {
        transcript ??= this.#openTranscript(agentCall.transcriptId)
        transcript.write(line)
      },
      readTranscript: async transcriptId => await writer.readTranscript(transcriptId),
    }
    const told: ToldMeanwhile = {}
    const startedAt = clock.now()
    let execution: ReturnType<AgentExecutor['start']>
    try {
      execution = executor.start(agentCall, context)
    } catch (error) {
      watch.stop()
      return { outcome: crashed(error, 'none'), events: 0, inLoop }
    }
    const end = (reason: string): void => {
      controller.abort(reason)
      execution.cancel(reason)
      grace ??= clock.timer(GRACE_MS, () => giveUp(givenUpIn(told.worktree)))
    }
    const stall = (): void => {
      stalled = true
      end('stalled')
    }
    this.#onAbort = () => end(this.#abortion?.cause ?? 'stopped')
    this.#onRetry = () => end('retried by a person')
    if (this.#abortion !== undefined) this.#onAbort()
    void this.#follow(execution.events, watch, told)

    const raw = await Promise.race([execution.result.catch((error: unknown) => crashed(error)), givenUp])
    watch.stop()
    grace?.cancel()
    this.#onAbort = this.#onRetry = undefined
    transcript?.close()
    const checked = checkedOutcome({ call, outcome: raw, submissions, inLoop })
    const timed = withDuration(checked, clock.now() - startedAt)
    const { sessionId } = told
    const named = { ...(sessionId !== undefined && { sessionId }), ...timed }
    return { outcome: this.#told(named, stalled), events: watch.events, inLoop }
  }

  /** An agent that was told to end did so for the reason it was told, unless it had finished. */
  #told(outcome: AgentOutcome, stalled: boolean): AgentOutcome {
    const abortion = this.#abortion ?? (stalled ? stallReason(this.#options.stallMs) : undefined)
    if (abortion === undefined) return outcome
    if (outcome.status === 'ok')
      return abortion.cause === 'skipped' ? { ...outcome, ...failed(abortion) } : outcome
    return { ...outcome, cause: abortion.cause, message: abortion.message }
  }

  #agentCall({ attempt, prompt, transcriptId, goingOn }: TryFacts): AgentCall {
    const { call, runId, timeoutMs } = this.#options
    const { options, source } = call
    const newTree: AgentIsolation | undefined = options.isolation === undefined ? undefined : 'worktree'
    const isolation =
      goingOn?.isolation ??
      (source?.tree ? { from: { path: source.tree.path, base: source.tree.base } } : newTree)
    return {
      runId,
      key: call.key,
      n: call.n,
      index: call.index,
      attempt,
      transcriptId,
      label: call.label,
      prompt,
      agentType: call.agentType,
      ...(call.phase !== undefined && { phase: call.phase }),
      ...(options.schema !== undefined && { schema: options.schema }),
      ...(call.model !== undefined && { model: call.model }),
      ...(options.effort !== undefined && { effort: options.effort }),
      ...(options.tools !== undefined && { tools: options.tools }),
      ...(options.maxTurns !== undefined && { maxTurns: options.maxTurns }),
      ...(isolation !== undefined && { isolation }),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
      ...(call.wantedBackend !== undefined && { backend: call.wantedBackend }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(goingOn && { continueFrom: goingOn.continueFrom }),
    }
  }

  #openTranscript(transcriptId: string): TranscriptSink {
    const { call, runId, writer } = this.#options
    return writer.transcript(transcriptId, {
      agentType: call.agentType.name,
      label: call.label,
      ...(call.phase !== undefined && { phase: call.phase }),
      ...(call.model !== undefined && { model: call.model }),
      runId,
      spawnDepth: 1,
    })
  }

  async #follow(events: AsyncIterable<AgentEvent>, watch: StallWatch, told: ToldMeanwhile): Promise<void> {
    try {
      for await (const event of events) {
        watch.event(event)
        if (event.type === 'session') told.sessionId = event.sessionId
        else if (event.type === 'worktree') told.worktree = event.worktree
        this.#show(event)
      }
    } catch {
      // The outcome tells how the agent ended; a broken event stream adds nothing to it.
    }
  }

  #show(event: AgentEvent): void {
    const { row, clock } = this.#options
    if (row.state !== 'start') return
    row.lastProgressAt = clock.now()
    if (event.type === 'tool_start') {
      row.toolCalls = (row.toolCalls ?? 0) + 1
      row.lastToolName = event.name
      if (event.summary !== undefined) row.lastToolSummary = event.summary
    } else if (event.type === 'usage') row.tokens = event.tokens
    else if (event.type === 'model') row.model = event.model
    else if (event.type === 'session') row.sessionId = event.sessionId
    else if (event.type === 'worktree') row.worktree = { ...event.worktree, files: [] }
    this.#options.changed()
  }
}

interface TryFacts {
  attempt: number
  prompt: string
  transcriptId: string
  goingOn: GoingOn | undefined
}

/** What an agent has told of itself before its end. */
interface ToldMeanwhile {
  sessionId?: string
  worktree?: Pick<WorktreeReport, 'path' | 'base'>
}

interface Tried {
  outcome: AgentOutcome
  events: number
  /** Submissions went through the agent's own loop. */
  inLoop: boolean
}

function stallReason(stallMs: number): { cause: Cause; message: string } {
  return { cause: 'stalled', message: `no sign of life for stallMs (${stallMs} ms)` }
}

function failed(abortion: {
  cause: Cause
  message: string
}): Pick<AgentFailure, 'status' | 'cause' | 'message'> {
  return { status: 'failed', cause: abortion.cause, message: abortion.message }
}

/** Of one that does not end: nobody looks into its tree any more. */
function givenUpIn(tree: ToldMeanwhile['worktree']): AgentFailure {
  const message = 'did not end when told to'
  return {
    ...failure('stopped', message, 'unknown'),
    ...(tree && { worktree: { ...tree, files: [], problem: `the agent ${message}` } }),
  }
}

/** A failure without spending. */
export function failure(cause: Cause, message: string, effects: Effects): AgentFailure {
  return { status: 'failed', cause, message, usage: noUsage(), effects }
}

function crashed(error: unknown, effects: Effects = 'unknown'): AgentFailure {
  const message = error instanceof Error ? error.message : String(error)
  return failure(isTuttiError(error) ? 'invalid_request' : 'crashed', message, effects)
}

/** A backend that does not measure its own time gets the wall time of the try. */
function withDuration(outcome: AgentOutcome, ms: number): AgentOutcome {
  return outcome.usage.durationMs > 0 ? outcome : { ...outcome, usage: { ...outcome.usage, durationMs: ms } }
}

const WEIGHT: Record<Effects, number> = { none: 0, isolated: 1, unknown: 2, yes: 3 }

function worse(a: Effects, b: Effects): Effects {
  return WEIGHT[a] >= WEIGHT[b] ? a : b
}
