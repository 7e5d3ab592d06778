import { boundLabel, type RecordAgentRow, type RunRecord } from '@tutti/protocol'
import type { RunHandle } from '@tutti/runtime'
import { censusText } from '../run-summary.ts'
import type { EndedTask, RunningTask } from './session-runs.ts'
import { oneLine } from './one-line.ts'

const MAX_ROWS = 20
const MAX_LOGS = 10

/** A running task on one line. */
export function runningLine({ handle }: Pick<RunningTask, 'handle'>): string {
  const record = handle.snapshot()
  const name = boundLabel(handle.name)
  return `${handle.taskId} ${record.status}: workflow "${name}" (run ${handle.runId}), ${progressText(record)}`
}

/** A task that has ended, on one line. */
export function endedLine({ taskId, runId, status, summary }: EndedTask): string {
  return `${taskId} ${status}: ${oneLine(summary)} (run ${runId})`
}

/** What a running workflow is doing. */
export function runningState(handle: RunHandle): string {
  const record = handle.snapshot()
  const working = agentsOf(record).filter(({ state }) => state === 'start')
  const rows = working.slice(0, MAX_ROWS).map(row => `- ${agentText(row)}`)
  if (working.length > MAX_ROWS) rows.push(`- and ${working.length - MAX_ROWS} more`)
  const logs = record.logs.slice(-MAX_LOGS).map(line => `- ${oneLine(line)}`)
  return [
    `Task ${handle.taskId} is ${record.status}: ${oneLine(handle.description)}`,
    `Run ID: ${handle.runId}`,
    `Progress: ${progressText(record)}`,
    ...(rows.length === 0 ? [] : ['Agents at work:', ...rows]),
    ...(logs.length === 0 ? [] : ['Last log lines:', ...logs]),
    'A task notification follows when the run ends.',
  ].join('\n')
}

function progressText(record: RunRecord): string {
  const working = agentsOf(record).filter(({ state }) => state === 'start').length
  return `${censusText(record.census)}${working === 0 ? '' : `; ${working} at work`}`
}

function agentText({ index, label, phaseTitle, lastToolName }: RecordAgentRow): string {
  const phase = phaseTitle === undefined ? '' : ` in ${boundLabel(phaseTitle)}`
  const tool = lastToolName === undefined ? '' : `, last tool ${boundLabel(lastToolName)}`
  return `${index} ${boundLabel(label)}${phase}${tool}`
}

function agentsOf(record: RunRecord): RecordAgentRow[] {
  return record.progress.filter((row): row is RecordAgentRow => row.type === 'workflow_agent')
}
