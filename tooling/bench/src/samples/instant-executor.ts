import type { AgentExecution, AgentExecutor, AgentOutcome } from '@tutti/runtime'

const usage = { input: 0, output: 1, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0 }

/** Agents that answer at once with a text of this size. */
export function instantExecutor(resultBytes: number): AgentExecutor {
  const outcome: AgentOutcome = { status: 'ok', value: 'x'.repeat(resultBytes), usage, effects: 'none' }
  const execution: AgentExecution = { events: noEvents(), result: Promise.resolve(outcome), cancel() {} }
  return {
    backendOf: () => 'instant',
    capabilities: () => ({ schema: 'loop', usage: 'exact', maxTurns: true, isolation: true }),
    start: () => execution,
  }
}

function noEvents(): AgentExecution['events'] {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) }
}
