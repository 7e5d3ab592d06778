import type { JsonObject, JsonValue } from '@tutti/protocol'
import {
  type AgentCall,
  type AgentContext,
  type AgentEvent,
  type AgentOutcome,
  type TranscriptLine,
} from '@tutti/runtime'
import type { Backend } from '../../src/backend.ts'
import { fullCall, judge } from '../../src/conformance/play-agent.ts'

/** A call with what a test names. */
export function callOf(given: Partial<AgentCall> = {}): AgentCall {
  return fullCall({ prompt: 'Say something.', label: 'test', ...given })
}

/** A context that keeps what it was given. */
export interface Stage {
  context: AgentContext
  submitted: JsonValue[]
  transcript: TranscriptLine[]
  stop: AbortController
}

/** With a schema, submissions are judged as a run does: five at most. */
export async function stageFor(schema?: JsonObject, more: Partial<AgentContext> = {}): Promise<Stage> {
  const stop = new AbortController()
  const submitted: JsonValue[] = []
  const transcript: TranscriptLine[] = []
  const context: AgentContext = {
    signal: stop.signal,
    transcript: line => void transcript.push(line),
    ...more,
  }
  if (schema) context.submit = await judge(schema, submitted)
  return { context, submitted, transcript, stop }
}

export interface Played {
  outcome: AgentOutcome
  events: AgentEvent[]
  submitted: JsonValue[]
  transcript: TranscriptLine[]
}

/** Runs one agent to its end. */
export async function play(
  backend: Backend,
  given: Partial<AgentCall> = {},
  more: Partial<AgentContext> = {},
): Promise<Played> {
  const { context, submitted, transcript } = await stageFor(given.schema, more)
  const execution = backend.start(callOf(given), context)
  const events: AgentEvent[] = []
  for await (const event of execution.events) events.push(event)
  return { outcome: await execution.result, events, submitted, transcript }
}
