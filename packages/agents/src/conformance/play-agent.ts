import type { JsonObject, JsonValue } from '@tutti/protocol'
import {
  createSchemaCompiler,
  type AgentCall,
  type AgentContext,
  type AgentEvent,
  type AgentExecution,
  type AgentOutcome,
} from '@tutti/runtime'
import type { Backend } from '../backend.ts'

const SUBMISSIONS = 5
const compiler = createSchemaCompiler()

/** An agent that was started, and what it has said and submitted so far. */
export interface PlayedAgent {
  execution: AgentExecution
  events: AgentEvent[]
  submitted: JsonValue[]
  /** Once its events have ended. */
  outcome: Promise<AgentOutcome>
}

/** Starts one agent as a run would; with a schema, what it submits is judged as a run does. */
export async function playAgent(
  backend: Backend,
  call: Partial<AgentCall> & { prompt: string },
  signal: AbortSignal,
): Promise<PlayedAgent> {
  const submitted: JsonValue[] = []
  const events: AgentEvent[] = []
  const context: AgentContext = { signal, transcript: () => {} }
  if (call.schema) context.submit = await judge(call.schema, submitted)
  const execution = backend.start(fullCall(call), context)
  const drained = (async () => {
    for await (const event of execution.events) events.push(event)
    return execution.result
  })()
  return { execution, events, submitted, outcome: drained }
}

/** Judges submissions as a run does, and keeps them. */
export async function judge(
  schema: JsonObject,
  submitted: JsonValue[],
): Promise<NonNullable<AgentContext['submit']>> {
  const validator = await compiler.compile(schema)
  return value => {
    submitted.push(value)
    const issues = validator.validate(value)
    return { accepted: issues.length === 0, issues, left: Math.max(0, SUBMISSIONS - submitted.length) }
  }
}

/** A call with what is given. */
export function fullCall(given: Partial<AgentCall> & { prompt: string }): AgentCall {
  return {
    runId: 'wf_00000000-000',
    key: 'v2:key',
    n: 1,
    index: 1,
    attempt: 1,
    transcriptId: 'a0000000000000001',
    label: 'conformance',
    agentType: { name: 'workflow-subagent', source: 'built-in' },
    ...given,
  }
}
