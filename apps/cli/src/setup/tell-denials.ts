import type { AgentEvent, AgentExecutor } from '@tutti/runtime'
import { safeLine } from '../render/text-width.ts'

const MOST_TOLD = 20

/**
 * An executor that tells people what agents were not allowed to do, the same thing once. A person's own "no" is not
 * told.
 */
export function tellDenials(executor: AgentExecutor, tell: (text: string) => void): AgentExecutor {
  const told = new Set<string>()

  function hear(label: string, event: AgentEvent): void {
    if (event.type !== 'permission' || event.allowed || event.source === 'person') return
    const what = `${event.tool}: ${event.reason}`
    if (told.has(what) || told.size >= MOST_TOLD) return
    told.add(what)
    tell(`denied  ${safeLine(label)}: ${safeLine(what)}`)
  }

  async function* heard(label: string, events: AsyncIterable<AgentEvent>): AsyncIterable<AgentEvent> {
    for await (const event of events) {
      hear(label, event)
      yield event
    }
  }

  return {
    backendOf: call => executor.backendOf(call),
    capabilities: backend => executor.capabilities(backend),
    start(call, context) {
      const execution = executor.start(call, context)
      return {
        events: heard(call.label, execution.events),
        result: execution.result,
        cancel: reason => execution.cancel(reason),
      }
    },
  }
}
