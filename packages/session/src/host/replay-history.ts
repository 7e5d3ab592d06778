import type { ChatMessage } from '@tutti/agents/chat'
import type { Outbox } from '../output/outbox.ts'

/** Shows what an earlier session said to a host that waits for it. */
export function replayHistory(messages: readonly ChatMessage[], outbox: Outbox): void {
  for (const { role, content } of messages) {
    const common = { parent_tool_use_id: null, isReplay: true, ...outbox.stamp() }
    if (role === 'user') {
      outbox.write({ type: 'user', message: { role, content }, ...common })
      continue
    }
    const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
    const message = {
      id: `msg_${common.uuid.replaceAll('-', '').slice(0, 24)}`,
      type: 'message',
      role,
      model: '<replayed>',
      content: blocks,
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 0, output_tokens: 0 },
    }
    outbox.write({ type: 'assistant', message, ...common })
  }
}
