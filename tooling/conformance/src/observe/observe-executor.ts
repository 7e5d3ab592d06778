import type { AgentExecutor } from '@tutti/runtime'
import type { Observations } from './observations.ts'

/** The same executor, with what it does noted down. */
export function observeExecutor(executor: AgentExecutor, observations: Observations): AgentExecutor {
  const rows = new Set<number>()
  return {
    backendOf: call => executor.backendOf(call),
    capabilities: backend => executor.capabilities(backend),
    start(call, context) {
      if (!rows.has(call.index)) observations.dispatch(call.label)
      rows.add(call.index)
      observations.enter()
      const execution = executor.start(call, context)
      const leave = (): void => observations.leave()
      execution.result.then(leave, leave)
      return execution
    },
  }
}
