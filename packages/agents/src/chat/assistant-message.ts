import { answerContent, answerUsage } from '../model/answer-content.ts'
import type { Wire } from '../model/endpoint.ts'
import { hiddenIn } from '../hidden-in.ts'
import type { Turn } from '../model/turn.ts'
import type { ChatAssistantMessage } from './types.ts'

export interface AnswerParts {
  id: string
  turn: Turn
  modelId: string
  wire: Wire
  /** Takes credentials out of a text. */
  hide(text: string): string
}

/** An answer in the shape of the Messages API. */
export function assistantMessageOf({ id, turn, modelId, wire, hide }: AnswerParts): ChatAssistantMessage {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model: turn.model ?? modelId,
    content: hiddenIn(answerContent(turn), hide),
    stop_reason: stopReasonOf(turn, wire),
    stop_sequence: null,
    usage: answerUsage(turn.usage),
  }
}

const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  'content-filter': 'refusal',
}

/** In the words of the Messages API; null for an answer that broke off. */
export function stopReasonOf({ finish, toolCalls }: Turn, wire: Wire): string | null {
  if (!finish) return null
  if (wire === 'anthropic' && finish.raw !== undefined) return finish.raw
  if (finish.unified === 'stop' && toolCalls.length > 0) return 'tool_use'
  return STOP_REASONS[finish.unified] ?? 'end_turn'
}
