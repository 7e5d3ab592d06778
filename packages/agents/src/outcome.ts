import type { AgentUsage, Cause, Effects } from '@tutti/protocol'
import type { AgentFailure } from '@tutti/runtime'

/** Nothing spent. */
export function noUsage(): AgentUsage {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }
}

/** A failure before anything was done or spent. */
export function failedBeforeStart(cause: Cause, message: string, effects: Effects = 'none'): AgentFailure {
  return { status: 'failed', cause, message, usage: noUsage(), effects }
}
