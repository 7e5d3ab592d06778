import { createHash } from 'node:crypto'
import type { JsonObject } from '@tutti/protocol'
import type { AgentCall, AgentContext, Clock } from '@tutti/runtime'
import { answerContent, answerUsage } from './answer-content.ts'
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
}

export function createTranscript({ call, context, clock }: TranscriptOptions): Transcript {
  let lines = 0
  let parentUuid: string | null = null

  function write(type: 'user' | 'assistant', message: JsonObject): void {
    const uuid = lineId(`${call.runId} ${call.transcriptId} ${++lines}`)
    context.transcript({
      parentUuid,
      isSidechain: true,
      agentId: call.transcriptId,
      type,
      message: { role: type, ...message },
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
        content: answerContent(turn),
        stop_reason: turn.finish?.raw ?? turn.finish?.unified ?? null,
        usage: answerUsage(turn.usage),
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
