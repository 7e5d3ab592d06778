import type { ChatMessage } from '@tutti/agents/chat'
import { isJsonObject, type ContentBlock } from '@tutti/protocol'
import { isMessage, type TranscriptLine } from './transcript-line.ts'

const UNANSWERED = 'The session ended before this tool had finished; whether it did anything is not known.'

interface Said {
  role: 'user' | 'assistant'
  blocks: ContentBlock[]
}

/**
 * What was said in a conversation, as a model takes it, whatever is missing in the lines: begins with the user, the
 * roles alternate, every use of a tool has its result in the next message and every result its use.
 */
export function historyOf(conversation: readonly TranscriptLine[]): ChatMessage[] {
  const said = joined(conversation.filter(isMessage).map(saidIn))
  const history: Said[] = []
  for (const one of said) {
    const open = openUses(history.at(-1))
    if (one.role === 'assistant') {
      if (open.length > 0) history.push({ role: 'user', blocks: open.map(unanswered) })
      add(history, one)
    } else {
      add(history, { role: 'user', blocks: withResults(one.blocks, open) })
    }
  }
  const open = openUses(history.at(-1))
  if (open.length > 0) history.push({ role: 'user', blocks: open.map(unanswered) })
  return history.map(({ role, blocks }) => ({ role, content: plainText(blocks) ?? blocks }))
}

function saidIn({ type, message }: TranscriptLine): Said {
  const content: unknown = message?.['content']
  const role = type === 'assistant' ? 'assistant' : 'user'
  if (typeof content === 'string')
    return { role, blocks: content === '' ? [] : [{ type: 'text', text: content }] }
  return { role, blocks: Array.isArray(content) ? content.filter(block => isBlockOf(role, block)) : [] }
}

/** An empty text, a use without id, or a block in the wrong role would be refused by a model. */
function isBlockOf(role: Said['role'], block: unknown): block is ContentBlock {
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

/** An answer may stand in several lines, and so may the results of its tools. */
function joined(said: readonly Said[]): Said[] {
  const together: Said[] = []
  for (const one of said) add(together, one)
  return together
}

function add(history: Said[], { role, blocks }: Said): void {
  const last = history.at(-1)
  if (blocks.length === 0 || (last === undefined && role === 'assistant')) return
  if (last?.role === role) last.blocks = [...last.blocks, ...blocks]
  else history.push({ role, blocks })
}

/** Ids of the tools that the last message used. */
function openUses(last: Said | undefined): string[] {
  if (last?.role !== 'assistant') return []
  const ids = last.blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id as string)
  return [...new Set(ids)]
}

/** One result for each use first, then what else was said; results of no use are left out. */
function withResults(blocks: readonly ContentBlock[], open: readonly string[]): ContentBlock[] {
  const results = blocks.filter(({ type }) => type === 'tool_result')
  return [
    ...open.map(id => results.find(result => result['tool_use_id'] === id) ?? unanswered(id)),
    ...blocks.filter(({ type }) => type !== 'tool_result'),
  ]
}

function unanswered(id: string): ContentBlock {
  return { type: 'tool_result', tool_use_id: id, content: UNANSWERED, is_error: true }
}

function plainText(blocks: readonly ContentBlock[]): string | undefined {
  const [first] = blocks
  const plain = blocks.length === 1 && first?.type === 'text' && Object.keys(first).length === 2
  return plain ? (first['text'] as string) : undefined
}
