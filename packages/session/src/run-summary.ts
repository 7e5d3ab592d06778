import {
  boundError,
  boundLabel,
  type Census,
  type NotificationStatus,
  type RunRecord,
  type RunStatus,
} from '@tutti/protocol'

const MAX_ERROR = 300

/** The word a notification uses for the end of an attempt. */
export function notificationStatus(status: RunStatus): NotificationStatus {
  if (status === 'completed' || status === 'failed') return status
  return 'stopped'
}

/** One line about how an attempt ended: status, agents by outcome, and for a run that can go on, how. */
export function runSummary(record: RunRecord): string {
  const name = `Workflow "${boundLabel(record.workflowName)}"`
  const agents = censusText(record.census)
  const simulated = record.simulated === true ? '; simulated, no model was asked' : ''
  switch (record.status) {
    case 'completed':
      return `${name} completed${record.degraded ? ' with failures' : ''}: ${agents}${simulated}`
    case 'failed':
      return `${name} failed: ${errorText(record)} (${agents}${simulated})`
    case 'paused':
      return `${name} paused (${pauseText(record)}): ${agents}; resume run ${record.runId} to go on`
    default:
      return `${name} was stopped: ${agents}${simulated}; resume run ${record.runId} to go on`
  }
}

/** `4 agents: 3 ok, 1 failed`; outcomes that did not occur are left out. */
export function censusText(census: Census): string {
  const outcomes = (['ok', 'cached', 'failed', 'stopped', 'skipped'] as const)
    .filter(outcome => census[outcome] > 0)
    .map(outcome => `${census[outcome]} ${outcome}`)
  const total = `${census.total} ${census.total === 1 ? 'agent' : 'agents'}`
  return outcomes.length === 0 ? total : `${total}: ${outcomes.join(', ')}`
}

function errorText(record: RunRecord): string {
  const message = boundError(record.error?.message ?? 'no reason recorded').replace(/\s+/g, ' ')
  return message.length > MAX_ERROR ? `${message.slice(0, MAX_ERROR - 1)}…` : message
}

function pauseText(record: RunRecord): string {
  const by = record.pausedBy ?? 'user'
  return record.resetAt === undefined ? by : `${by}, until ${new Date(record.resetAt).toISOString()}`
}
