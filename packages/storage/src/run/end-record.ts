import type { JsonValue, PhaseRow, RecordAgentRow, RunOutput, RunRecord } from '@tutti/protocol'

/** What dashboards of Claude Code read of a run, written at the end of each attempt. */
export interface EndRecord {
  runId: string
  /** When the attempt ended, ISO 8601. */
  timestamp: string
  taskId: string
  workflowName: string
  summary: string
  script: string
  scriptPath: string
  args?: JsonValue
  status: 'completed' | 'failed' | 'killed'
  error?: string
  result: JsonValue
  logs: string[]
  phases: { title: string; detail?: string }[]
  defaultModel: string
  /** Start of the attempt, milliseconds since the epoch. */
  startTime: number
  durationMs: number
  agentCount: number
  /** The sum of the rows' `tokens`. */
  totalTokens: number
  totalToolCalls: number
  /** One phase row per entry of `phases`, then the agents. */
  workflowProgress: object[]
}

export function isEnded({ status }: RunRecord): boolean {
  return status !== 'pending' && status !== 'running'
}

/** The end record of an attempt. `output` is the text of its output file. */
export function endRecord(record: RunRecord, script: string, output: string | undefined): EndRecord {
  const agents = record.progress.filter(row => row.type === 'workflow_agent')
  const endedAt = record.endedAt ?? record.heartbeatAt
  const error = errorOf(record)
  return {
    runId: record.runId,
    timestamp: new Date(endedAt).toISOString(),
    taskId: record.taskId,
    workflowName: record.workflowName,
    summary: record.description,
    script,
    scriptPath: record.scriptPath,
    ...(record.args !== undefined && { args: record.args }),
    status: record.status === 'completed' || record.status === 'failed' ? record.status : 'killed',
    ...(error !== undefined && { error }),
    result: resultOf(output),
    logs: record.logs,
    phases: record.phases.map(({ title, detail }) => ({ title, ...(detail !== undefined && { detail }) })),
    defaultModel: record.model ?? agents.find(row => row.model !== undefined)?.model ?? 'default',
    startTime: record.attemptStartedAt,
    durationMs: Math.max(0, endedAt - record.attemptStartedAt),
    agentCount: agents.length,
    totalTokens: sum(agents, row => row.tokens),
    totalToolCalls: sum(agents, row => row.toolCalls),
    workflowProgress: rowsOf(record, agents),
  }
}

function rowsOf({ phases, progress }: RunRecord, agents: RecordAgentRow[]): object[] {
  const known = progress.filter(row => row.type === 'workflow_phase')
  const rows = phases.map(({ title }, at): PhaseRow => {
    const row = known.find(candidate => candidate.title === title)
    return row ?? { type: 'workflow_phase', index: at + 1, title }
  })
  return [...rows, ...agents.map(agentRow)]
}

/** Readers take any state but `done` and `error` for an agent that still works. */
function agentRow({ key, n: _n, transcriptId, ...row }: RecordAgentRow): object {
  const agentId = transcriptId ?? key
  return row.state === 'cached' ? { ...row, agentId, state: 'done', cached: true } : { ...row, agentId }
}

function errorOf({ error, status, pausedBy }: RunRecord): string | undefined {
  if (error !== undefined) return error.message
  return status === 'paused' ? `paused (${pausedBy ?? 'user'}): it can be resumed` : undefined
}

function resultOf(output: string | undefined): JsonValue {
  if (output === undefined) return null
  const { result, partialResult } = JSON.parse(output) as RunOutput
  return result ?? partialResult ?? null
}

function sum(agents: RecordAgentRow[], field: (row: RecordAgentRow) => number | undefined): number {
  return agents.reduce((total, row) => total + (field(row) ?? 0), 0)
}
