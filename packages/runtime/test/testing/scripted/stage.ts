import type { JsonValue } from '@tutti/protocol'
import type {
  AgentCall,
  AgentContext,
  AgentEvent,
  AgentExecution,
} from '../../../src/ports/agent-executor.ts'

/** A call with what a test names. */
export function callOf(label: string, given: Partial<AgentCall> = {}): AgentCall {
  const agentType = { name: 'workflow-subagent', source: 'built-in' }
  return {
    runId: 'wf_1',
    key: 'v2:k',
    n: 1,
    index: 1,
    attempt: 1,
    transcriptId: 'a1',
    prompt: `do ${label}`,
    label,
    agentType,
    ...given,
  }
}

/** A context without a schema. */
export function contextOf(given: Partial<AgentContext> = {}): AgentContext {
  return { signal: new AbortController().signal, transcript: () => {}, ...given }
}

/** A context whose submissions are accepted when `valid` says so, at most `limit`. */
export function schemaContext(
  valid: (value: JsonValue) => boolean,
  limit = 5,
): AgentContext & { submitted: JsonValue[] } {
  const submitted: JsonValue[] = []
  return {
    ...contextOf(),
    submitted,
    submit(value) {
      submitted.push(value)
      const accepted = valid(value)
      const issues = accepted ? [] : [{ path: '/x', message: 'must be number' }]
      return { accepted, issues, left: limit - submitted.length }
    },
  }
}

export async function eventsOf(execution: AgentExecution): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of execution.events) events.push(event)
  return events
}
