import {
  boundLabel,
  type AgentRow,
  type Dialect,
  type LogRow,
  type PhaseRow,
  type ProgressRow,
  type RecordAgentRow,
  type TaskUsage,
} from '@tutti/protocol'
import type { RunEvent } from '@tutti/runtime'

const SHOWN_LOGS = 100

/** What the rows of one task look like now: a fold over the events of its run. */
export interface TaskRows {
  /** True when the event changed something that a snapshot of the dialect shows. */
  apply(event: RunEvent): boolean
  /** Phases first, then agents, each by index, then the last 100 log lines. */
  snapshot(): ProgressRow[]
  usage(durationMs: number): TaskUsage
  /** Every agent that was seen has ended. */
  allEnded(): boolean
  /** Ends the rows that are still open, as a stop does. True when there were any. */
  abortOpen(at: number): boolean
  /** Names of the transcripts, by row index. */
  readonly transcripts: ReadonlyMap<number, string>
}

export function createTaskRows(dialect: Dialect): TaskRows {
  const phases = new Map<number, PhaseRow>()
  const agents = new Map<number, AgentRow>()
  const transcripts = new Map<number, string>()
  const logs: LogRow[] = []

  const applyAgent = (row: AgentRow): boolean => {
    // Rows of the runtime carry the record's fields too; they are no part of the wire.
    const {
      key: _key,
      n: _n,
      worktree: _worktree,
      costUsd: _costUsd,
      sessionId: _sessionId,
      transcriptId,
      ...wire
    } = row as AgentRow & Partial<RecordOnly>
    const named = transcriptId !== undefined && transcripts.get(row.index) !== transcriptId
    if (named) transcripts.set(row.index, transcriptId)
    const { phaseTitle } = wire
    const shown = {
      ...wire,
      label: boundLabel(wire.label),
      ...(phaseTitle !== undefined && { phaseTitle: boundLabel(phaseTitle) }),
    }
    const before = agents.get(row.index)
    agents.set(row.index, shown)
    if (dialect === 'codebuddy' && shown.startedAt === undefined && shown.state !== 'cached') return false
    if (dialect === 'claude-code' && named) return true
    return before === undefined || JSON.stringify(before) !== JSON.stringify(shown)
  }

  return {
    transcripts,
    apply(event) {
      switch (event.type) {
        case 'phase':
          phases.set(event.row.index, { ...event.row, title: boundLabel(event.row.title) })
          return true
        case 'agent':
          return applyAgent(event.row)
        case 'log':
          logs.push(event.row)
          if (logs.length > SHOWN_LOGS) logs.shift()
          return dialect !== 'claude-code'
        default:
          return false
      }
    },
    snapshot: () => [...byIndex(phases), ...byIndex(agents), ...logs],
    usage(durationMs) {
      let tokens = 0
      let toolUses = 0
      for (const row of agents.values()) {
        tokens += row.tokens ?? 0
        toolUses += row.toolCalls ?? 0
      }
      return { total_tokens: tokens, tool_uses: toolUses, duration_ms: Math.max(0, Math.round(durationMs)) }
    },
    allEnded: () => [...agents.values()].every(row => row.state !== 'start'),
    abortOpen(at) {
      let any = false
      for (const row of agents.values()) {
        if (row.state !== 'start') continue
        any = true
        agents.set(row.index, {
          ...row,
          state: 'error',
          endedAt: at,
          cause: 'stopped',
          error: 'subagent aborted: the run was stopped',
        })
      }
      return any
    },
  }
}

type RecordOnly = Required<Omit<RecordAgentRow, keyof AgentRow>>

function byIndex<T extends { index: number }>(rows: ReadonlyMap<number, T>): T[] {
  return [...rows.values()].sort((a, b) => a.index - b.index)
}
