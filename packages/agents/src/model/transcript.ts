import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { AgentContext, Clock } from '@tutti/runtime'
import type { Turn } from './turn.ts'

/** What a tool answered. */
export interface ToolAnswer {
  toolCallId: string
  toolName: string
  text: string
  failed: boolean
}

/** Writes a conversation down, one message a line. */
export interface Transcript {
  user(text: string): void
  assistant(turn: Turn, model: string): void
  tools(answers: ToolAnswer[]): void
}

export function transcriptTo(context: AgentContext, clock: Clock): Transcript {
  function write(type: 'user' | 'assistant', message: JsonObject): void {
    context.transcript({
      type,
      message: { role: type, ...message },
      timestamp: new Date(clock.now()).toISOString(),
    })
  }
  return {
    user: text => write('user', { content: [{ type: 'text', text }] }),
    assistant: (turn, model) => write('assistant', { model, content: contentOf(turn), usage: usageOf(turn) }),
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

function contentOf({ text, toolCalls }: Turn): JsonValue[] {
  const calls = toolCalls.map(({ toolCallId, toolName, input }) => ({
    type: 'tool_use',
    id: toolCallId,
    name: toolName,
    input: parsedOrText(input),
  }))
  return text === '' ? calls : [{ type: 'text', text }, ...calls]
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
