import type { ContentBlock } from '@tutti/protocol'
import type { ChatMessage } from './types.ts'

/** Stands for the result of a tool that was not used or did not end. */
export const INTERRUPTED: string = '[Request interrupted by user]'

const BEGUN_EARLIER: ContentBlock = { type: 'text', text: '[The conversation began earlier.]' }

/**
 * A history that every endpoint takes: it begins with the user, roles alternate, each use of a tool is followed by its result, and a
 * result without its use is a text. Nothing else is changed.
 */
export function completeHistory(messages: readonly ChatMessage[]): ChatMessage[] {
  const complete: ChatMessage[] = []
  let open: string[] = []
  for (const { role, content } of joined(messages)) {
    if (role === 'assistant') {
      if (open.length > 0) complete.push({ role: 'user', content: open.map(missingResult) })
      const said = withoutRepeatedUses(content)
      open = idsOfUses(said)
      complete.push({ role, content: said })
      continue
    }
    complete.push({ role, content: answering(content, open) })
    open = []
  }
  if (open.length > 0) complete.push({ role: 'user', content: open.map(missingResult) })
  return complete[0]?.role === 'assistant'
    ? [{ role: 'user', content: [BEGUN_EARLIER] }, ...complete]
    : complete
}

/** A result for a use that has none. */
export function missingResult(toolUseId: string): ContentBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: INTERRUPTED, is_error: true }
}

/** Empty texts, which endpoints refuse, are left out. */
export function blocksOf(content: ChatMessage['content']): ContentBlock[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return blocks.filter(({ type, text }) => type !== 'text' || text !== '')
}

/** Messages of one role in a row are one; what says nothing is left out. */
function joined(messages: readonly ChatMessage[]): { role: ChatMessage['role']; content: ContentBlock[] }[] {
  const found: { role: ChatMessage['role']; content: ContentBlock[] }[] = []
  for (const { role, content } of messages) {
    const blocks = blocksOf(content)
    const last = found.at(-1)
    if (blocks.length === 0) continue
    if (last?.role === role) last.content.push(...blocks)
    else found.push({ role, content: [...blocks] })
  }
  return found
}

function withoutRepeatedUses(content: ContentBlock[]): ContentBlock[] {
  const ids = new Set<unknown>()
  return content.filter(({ type, id }) => type !== 'tool_use' || (!ids.has(id) && ids.add(id)))
}

function idsOfUses(content: ContentBlock[]): string[] {
  return content.flatMap(block =>
    block.type === 'tool_use' && typeof block.id === 'string' ? [block.id] : [],
  )
}

/** Results first, in the order of the uses. */
function answering(content: ContentBlock[], open: string[]): ContentBlock[] {
  const results = new Map<string, ContentBlock>()
  const rest: ContentBlock[] = []
  for (const block of content) {
    const { tool_use_id: id } = block
    if (block.type !== 'tool_result') rest.push(block)
    else if (typeof id === 'string' && open.includes(id) && !results.has(id)) results.set(id, block)
    else rest.push({ type: 'text', text: `[Result of a tool] ${textOf(block.content)}` })
  }
  return [...open.map(id => results.get(id) ?? missingResult(id)), ...rest]
}

function textOf(content: ContentBlock[string] | undefined): string {
  return typeof content === 'string' ? content : JSON.stringify(content ?? '')
}
