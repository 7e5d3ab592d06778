import {
  boundError,
  boundLabel,
  boundPreview,
  type AgentUsage,
  type Census,
  type JsonValue,
  type LogRow,
  type PhaseMeta,
  type PhaseRow,
  type RecordAgentRow,
  type RunFailure,
  type RunRecord,
  type RunUsage,
} from '@tutti/protocol'
import type { AgentFailure, AgentSuccess } from '../ports/agent-executor.ts'
import type { Call } from './call.ts'
import type { EventFeed } from './event-feed.ts'

const KEPT_LOGS = 1000

/** Zero spending. */
export function noUsage(): RunUsage {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
}

/** `sum` plus one agent's spending; a cost that is not known makes the sum unknown. */
export function addUsage<T extends RunUsage>(sum: T, usage: AgentUsage): T {
  const added = {
    ...sum,
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheWrite: sum.cacheWrite + usage.cacheWrite,
    toolUses: sum.toolUses + usage.toolUses,
    durationMs: sum.durationMs + usage.durationMs,
    ...(usage.reasoning !== undefined && { reasoning: (sum.reasoning ?? 0) + usage.reasoning }),
  }
  if (usage.costUsd === undefined) return added
  const costUsd = usage.costUsd === null || sum.costUsd === null ? null : (sum.costUsd ?? 0) + usage.costUsd
  return { ...added, costUsd }
}

/** Tokens as rows and totals count them. */
export function tokensOf(usage: Pick<RunUsage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>): number {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite
}

/** The one in-memory state of an attempt; every view is a rendering of it. */
export class RunState {
  readonly #feed: EventFeed
  readonly #now: () => number
  readonly #phases: PhaseRow[] = []
  readonly #phaseMeta = new Map<string, PhaseMeta>()
  readonly #rows: (RecordAgentRow | undefined)[] = []
  readonly #logs: LogRow[] = []
  #logCount = 0
  #changes = 0
  readonly failures: RunFailure[] = []
  readonly warnings: string[] = []
  readonly census: Census = { total: 0, ok: 0, cached: 0, failed: 0, stopped: 0, skipped: 0 }
  usage: RunUsage = noUsage()
  /** Calls that died and whose script did not ask for the cause: they can fail a run. */
  deadCalls = 0

  constructor(feed: EventFeed, now: () => number, phases: PhaseMeta[]) {
    this.#feed = feed
    this.#now = now
    this.declare(phases)
  }

  /** Adds declared groups; of one title the first declaration counts. */
  declare(phases: PhaseMeta[]): void {
    for (const phase of phases) {
      const title = boundLabel(phase.title)
      if (!this.#phaseMeta.has(title)) this.#phaseMeta.set(title, phase)
      this.phase(phase.title)
    }
  }

  /** Counts every change: tells whether a snapshot is newer than another. */
  get changes(): number {
    return this.#changes
  }

  get rows(): RecordAgentRow[] {
    return this.#rows.filter(row => row !== undefined)
  }

  get phases(): readonly PhaseRow[] {
    return this.#phases
  }

  get logs(): readonly LogRow[] {
    return this.#logs
  }

  /** The group of that title; an undeclared one is added at the end. */
  phase(given: string): PhaseRow {
    const title = boundLabel(given)
    const known = this.#phases.find(row => row.title === title)
    if (known !== undefined) return known
    const row: PhaseRow = { type: 'workflow_phase', index: this.#phases.length + 1, title }
    this.#phases.push(row)
    this.#changes++
    this.#feed.emit({ type: 'phase', row })
    return row
  }

  log(message: string): void {
    const row: LogRow = { type: 'workflow_log', index: ++this.#logCount, message: boundError(message) }
    this.#logs.push(row)
    if (this.#logs.length > KEPT_LOGS) this.#logs.shift()
    this.#changes++
    this.#feed.emit({ type: 'log', row })
  }

  warn(message: string): void {
    this.warnings.push(message)
    this.#changes++
    this.#feed.emit({ type: 'warning', message })
  }

  fail(failure: RunFailure): void {
    this.failures.push(failure)
    this.#changes++
    this.#feed.emit({ type: 'failure', failure })
  }

  /** A call got a slot, or took a record. */
  appear(call: Call, queuedAt: number, transcriptId?: string): RecordAgentRow {
    const now = this.#now()
    const phase = call.phase === undefined ? undefined : this.phase(call.phase)
    const row: RecordAgentRow = {
      type: 'workflow_agent',
      index: call.index,
      agentId: call.key,
      label: call.label,
      state: 'start',
      queuedAt,
      startedAt: now,
      ...(phase && { phaseIndex: phase.index, phaseTitle: phase.title }),
      ...(call.model !== undefined && { model: call.model }),
      agentType: call.agentType.name,
      promptPreview: boundPreview(call.prompt),
      ...(call.options.isolation !== undefined && { isolation: 'worktree' }),
      attempt: 1,
      key: call.key,
      n: call.n,
      ...(transcriptId !== undefined && { transcriptId }),
    }
    this.#rows[call.index] = row
    this.touch(row)
    return row
  }

  row(index: number): RecordAgentRow | undefined {
    return this.#rows[index]
  }

  /** Call after changing a row. */
  touch(row: RecordAgentRow): void {
    this.#changes++
    this.#feed.emitRow(row)
  }

  /** A call took a record: it is done and cost nothing. */
  cached(call: Call, success: AgentSuccess, transcriptId: string): void {
    const row = this.appear(call, this.#now(), transcriptId)
    this.census.cached++
    Object.assign(row, {
      state: 'cached',
      cached: true,
      endedAt: row.startedAt,
      tokens: 0,
      toolCalls: 0,
      durationMs: 0,
      resultPreview: preview(success.value),
      ...(success.model !== undefined && { model: success.model }),
      ...(success.worktree && { worktree: success.worktree }),
    } satisfies Partial<RecordAgentRow>)
    this.touch(row)
  }

  /** A call ended. `row` is absent when it never got a slot. */
  ended(call: Call, outcome: AgentSuccess | AgentFailure): void {
    this.usage = addUsage(this.usage, outcome.usage)
    const row = this.#rows[call.index]
    if (outcome.status === 'ok') this.census.ok++
    else this.#countFailure(call, outcome)
    if (row === undefined) return
    const now = this.#now()
    Object.assign(row, {
      endedAt: now,
      durationMs: now - (row.startedAt ?? now),
      tokens: tokensOf(outcome.usage),
      ...(outcome.usage.costUsd !== undefined && { costUsd: outcome.usage.costUsd }),
      toolCalls: outcome.usage.toolUses,
      ...(outcome.model !== undefined && { model: outcome.model }),
      ...(outcome.worktree && { worktree: outcome.worktree }),
    } satisfies Partial<RecordAgentRow>)
    // Known from its start; what it left no changes in is gone.
    if (!outcome.worktree) delete row.worktree
    if (outcome.status === 'ok') {
      row.state = 'done'
      row.resultPreview = preview(outcome.value)
    } else {
      row.state = 'error'
      row.cause = outcome.cause
      if (outcome.sessionId !== undefined) row.sessionId = outcome.sessionId
      if (outcome.cause === 'skipped') row.skipped = true
      const aborted = outcome.cause === 'stopped' ? 'subagent aborted: ' : ''
      row.error = boundError(aborted + outcome.message)
    }
    this.touch(row)
  }

  #countFailure(call: Call, outcome: AgentFailure): void {
    if (outcome.cause === 'skipped') {
      this.census.skipped++
      return
    }
    if (outcome.cause === 'stopped') this.census.stopped++
    else this.census.failed++
    if (!call.settled) this.deadCalls++
    this.fail({
      kind: 'agent',
      label: call.label,
      index: call.index,
      cause: outcome.cause,
      message: boundError(outcome.message),
      ...(outcome.lastText !== undefined && { lastText: outcome.lastText }),
      ...(outcome.lastInvalid !== undefined && { lastInvalid: outcome.lastInvalid }),
    })
  }

  /** The part of the record that this state decides. */
  progress(): Pick<
    RunRecord,
    'phases' | 'progress' | 'logs' | 'logsDropped' | 'usage' | 'census' | 'failures' | 'warnings'
  > {
    return {
      phases: this.#phases.map(row => this.#phaseMeta.get(row.title) ?? { title: row.title }),
      progress: [...this.#phases, ...this.rows.map(row => ({ ...row })), ...this.#logs.slice(-100)],
      logs: this.#logs.map(row => row.message),
      logsDropped: this.#logCount - this.#logs.length,
      usage: this.usage,
      census: { ...this.census },
      failures: [...this.failures],
      warnings: [...this.warnings],
    }
  }
}

function preview(value: JsonValue): string {
  return boundPreview(typeof value === 'string' ? value : JSON.stringify(value))
}

/** The label of a call that was given none: the start of its prompt. */
export function defaultLabel(prompt: string): string {
  const line = prompt.trimStart().split('\n', 1)[0] ?? ''
  return boundLabel(line.length > 60 ? `${line.slice(0, 59)}…` : line)
}
