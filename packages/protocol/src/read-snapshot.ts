import { AGENT_ROW_STATES, type AgentRow, type LogRow, type PhaseRow } from './progress.ts'
import { numberOf, textOf } from './read-field.ts'

type Loose = { readonly [key: string]: unknown }

/** A `workflow_progress` list, sorted out. */
export interface Snapshot {
  phases: readonly PhaseRow[]
  agents: ReadonlyMap<number, AgentRow>
  logs: readonly LogRow[]
}

/** Rows of unknown type and rows without an index are left out; unknown fields of a row stay. */
export function readSnapshot(rows: readonly Loose[]): Snapshot {
  const phases = new Map<number, PhaseRow>()
  const agents = new Map<number, AgentRow>()
  const logs = new Map<number, LogRow>()
  for (const row of rows) {
    const index = numberOf(row, 'index')
    if (index === undefined) continue
    if (row['type'] === 'workflow_phase') phases.set(index, readPhase(row, index))
    if (row['type'] === 'workflow_agent') agents.set(index, readAgent(row, index))
    if (row['type'] === 'workflow_log') logs.set(index, readLog(row, index))
  }
  return { phases: byIndex(phases), agents: new Map(sorted(agents)), logs: byIndex(logs) }
}

function readPhase(row: Loose, index: number): PhaseRow {
  return { ...row, type: 'workflow_phase', index, title: textOf(row, 'title') ?? '' }
}

/** A word that this version does not know for a state means that the agent still runs. */
function readAgent(row: Loose, index: number): AgentRow {
  return {
    ...row,
    type: 'workflow_agent',
    index,
    agentId: textOf(row, 'agentId') ?? '',
    label: textOf(row, 'label') ?? '',
    state: AGENT_ROW_STATES.find(state => state === row['state']) ?? 'start',
  }
}

function readLog(row: Loose, index: number): LogRow {
  return { ...row, type: 'workflow_log', index, message: textOf(row, 'message') ?? '' }
}

function byIndex<Row>(rows: ReadonlyMap<number, Row>): Row[] {
  return sorted(rows).map(([, row]) => row)
}

function sorted<Row>(rows: ReadonlyMap<number, Row>): [number, Row][] {
  return [...rows].sort(([a], [b]) => a - b)
}
