import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { AgentContext, Clock } from '@tutti/runtime'

/** Writes down what an agent of another product tells, one message a line. */
export interface Transcript {
  user(text: string): void
  assistant(text: string): void
  tool(name: string, input: JsonValue | undefined): void
}

export function transcriptTo(context: AgentContext, clock: Clock): Transcript {
  const write = (role: 'user' | 'assistant', content: JsonObject): void =>
    context.transcript({
      type: role,
      message: { role, content: [content] },
      timestamp: new Date(clock.now()).toISOString(),
    })
  return {
    user: text => write('user', { type: 'text', text }),
    assistant: text => write('assistant', { type: 'text', text }),
    tool: (name, input) => write('assistant', { type: 'tool_use', name, input: input ?? {} }),
  }
}
