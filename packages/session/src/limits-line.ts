import type { RunLimits } from '@tutti/protocol'
import type { SessionConfig } from './session-config.ts'

/** One line: what a run without anybody to ask may do, how long it waits, and which limits were set. */
export function limitsOf({
  permissionMode,
  maxWaitMs,
  maxTurns,
  maxBudgetUsd,
  settings,
}: SessionConfig): string {
  const asking =
    permissionMode === 'bypassPermissions'
      ? 'every use of a tool is allowed but for what rules deny'
      : 'nobody is asked: what no rule allows is denied'
  const { limits, concurrency } = settings.tutti ?? {}
  const parts = [
    `permission mode ${permissionMode}, ${asking}`,
    maxWaitMs === undefined
      ? 'waits until its workflows have ended (--max-wait sets a limit)'
      : `waits at most ${seconds(maxWaitMs)} for its workflows`,
    maxTurns !== undefined && `at most ${maxTurns} answers a turn`,
    maxBudgetUsd !== undefined && `at most ${maxBudgetUsd} US dollars`,
    workflowLimits({ ...limits, ...(concurrency !== undefined && { concurrency }) }),
  ]
  return `tutti: ${parts.filter(part => typeof part === 'string').join('; ')}`
}

/** Only what somebody has set. */
function workflowLimits(limits: Partial<RunLimits>): string | undefined {
  const parts = [
    limits.agents !== undefined && `${limits.agents} agents`,
    limits.concurrency !== undefined && `${limits.concurrency} agents at once`,
    isSet(limits.costUsd) && `${limits.costUsd} US dollars`,
    isSet(limits.tokens) && `${limits.tokens} tokens`,
    isSet(limits.outputTokens) && `${limits.outputTokens} output tokens`,
    isSet(limits.wallMs) && seconds(limits.wallMs),
  ].filter(part => typeof part === 'string')
  return parts.length === 0 ? undefined : `each workflow at most ${parts.join(', ')}`
}

function isSet(limit: number | null | undefined): limit is number {
  return typeof limit === 'number'
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`
}
