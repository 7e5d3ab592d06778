import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { AgentCall, AgentContext, Clock } from '@tutti/runtime'
import type { Turn } from './turn.ts'

/** What a tool answered. */
export interface ToolAnswer {
  toolCallId: string
  toolName: string
  text: string
  failed: boolean
}

/** Writes a conversation down as it goes, one message a line, each naming the one before it. */
export interface Transcript {
  user(text: string): void
  assistant(turn: Turn, model: string): void
  tools(answers: ToolAnswer[]): void
}

export interface TranscriptOptions {
  call: Pick<AgentCall, 'runId' | 'transcriptId'>
  context: Pick<AgentContext, 'transcript'>
  clock: Clock
  /** Takes credentials out of a text. */
  hide(text: string): string
}

export function createTranscript({ call, context, clock, hide }: TranscriptOptions): Transcript {
  let lines = 0
  let parentUuid: string | null = null

  function write(type: 'user' | 'assistant', message: JsonObject): void {
    const uuid = lineId(`${call.runId} ${call.transcriptId} ${++lines}`)
    context.transcript({
      parentUuid,
      isSidechain: true,
      agentId: call.transcriptId,
      type,
      message: withoutCredentials({ role: type, ...message }, hide),
      uuid,
      timestamp: new Date(clock.now()).toISOString(),
    })
    parentUuid = uuid
  }

  return {
    user: text => write('user', { content: [{ type: 'text', text }] }),
    assistant: (turn, model) =>
      write('assistant', {
        type: 'message',
        model,
        content: turn.parts.flatMap(contentOf),
        stop_reason: turn.finish?.raw ?? turn.finish?.unified ?? null,
        usage: usageOf(turn),
      }),
    tools: answers =>
      write('user', {
        content: answers.map(({ toolCallId, text, failed }) => ({
          type: 'tool_result',
          tool_use_id: toolCallId,
          content: text,
          is_error: failed,
        })),
      }),
  }
}

/** A tool may have read a file that has them. */
function withoutCredentials(message: JsonObject, hide: (text: string) => string): JsonObject {
  const text = JSON.stringify(message)
  const clean = hide(text)
  return clean === text ? message : (JSON.parse(clean) as JsonObject)
}

/** The same line of the same transcript always has the same UUID. */
function lineId(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

function contentOf(part: Turn['parts'][number]): JsonValue[] {
  if (part.type === 'tool-call') {
    const { toolCallId: id, toolName: name, input } = part
    return [{ type: 'tool_use', id, name, input: parsedOrText(input) }]
  }
  if (part.text === '') return []
  return [
    part.type === 'text' ? { type: 'text', text: part.text } : { type: 'thinking', thinking: part.text },
  ]
}

function usageOf({ usage }: Turn): JsonObject {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
  }
}

function parsedOrText(input: string): JsonValue {
  try {
    return JSON.parse(input) as JsonValue
  } catch {
    return input
  }
}
