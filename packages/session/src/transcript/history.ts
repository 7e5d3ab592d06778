import type { ChatMessage } from '@tutti/agents/chat'
import { isJsonObject, type ContentBlock } from '@tutti/protocol'
import { isMessage, type TranscriptLine } from './transcript-line.ts'

/**
 * What was said in a conversation. Blocks that no model could take are left out; a use of a tool may still lack its
 * result, where the writer was killed in between.
 */
export function historyOf(conversation: readonly TranscriptLine[]): ChatMessage[] {
  return conversation
    .filter(isMessage)
    .map(messageIn)
    .filter(({ content }) => content.length > 0)
}

function messageIn({ type, message }: TranscriptLine): ChatMessage {
  const content: unknown = message?.['content']
  const role = type === 'assistant' ? 'assistant' : 'user'
  if (typeof content === 'string') return { role, content }
  return { role, content: Array.isArray(content) ? content.filter(block => isBlockOf(role, block)) : [] }
}

/** A file may say anything: no empty text, no use without an id, nothing in the wrong role. */
function isBlockOf(role: ChatMessage['role'], block: unknown): block is ContentBlock {
  if (!isJsonObject(block)) return false
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' && block['text'] !== ''
    case 'tool_use':
      return role === 'assistant' && typeof block['id'] === 'string' && typeof block['name'] === 'string'
    case 'tool_result':
      return role === 'user' && typeof block['tool_use_id'] === 'string'
    default:
      return typeof block['type'] === 'string'
  }
}
