import { inputText, pieces, type MockError, type MockReply } from './reply.ts'

/** The events of one Anthropic Messages answer, as server-sent events. */
export function anthropicEvents(reply: MockReply, model: string, id: number): string[] {
  const { usage = {}, toolCalls = [], text = '' } = reply
  const start = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: usage.input ?? 0,
      cache_read_input_tokens: usage.cacheRead ?? 0,
      cache_creation_input_tokens: usage.cacheWrite ?? 0,
      output_tokens: 1,
    },
  }
  const blocks = [
    ...(reply.thinking === undefined ? [] : [thinkingBlock(reply.thinking, id)]),
    ...(text === '' ? [] : [textBlock(text, reply.pieceLength)]),
    ...toolCalls.map(toolBlock(id)),
  ]
  return [
    event({ type: 'message_start', message: start }),
    ...blocks.flatMap((block, index) => blockEvents(block, index)),
    event({
      type: 'message_delta',
      delta: {
        stop_reason: reply.stop ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn'),
        stop_sequence: null,
      },
      usage: { output_tokens: usage.output ?? 0 },
    }),
    event({ type: 'message_stop' }),
  ]
}

export function anthropicErrorBody({ type = 'api_error', message = 'scripted error' }: MockError): string {
  return JSON.stringify({ type: 'error', error: { type, message } })
}

/** An error within a stream. */
export function anthropicErrorEvent(error: MockError): string {
  return `event: error\ndata: ${anthropicErrorBody(error)}\n\n`
}

interface Block {
  start: object
  deltas: object[]
}

function thinkingBlock(thinking: string, id: number): Block {
  const deltas = pieces(thinking).map(piece => ({ type: 'thinking_delta', thinking: piece }))
  return {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [...deltas, { type: 'signature_delta', signature: `signature-${id}` }],
  }
}

function textBlock(text: string, length: number | undefined): Block {
  return {
    start: { type: 'text', text: '' },
    deltas: pieces(text, length).map(piece => ({ type: 'text_delta', text: piece })),
  }
}

function toolBlock(id: number): (call: { name: string; input: unknown }, n: number) => Block {
  return (call, n) => ({
    start: { type: 'tool_use', id: `toolu_${id}_${n}`, name: call.name, input: {} },
    deltas: pieces(inputText(call)).map(piece => ({ type: 'input_json_delta', partial_json: piece })),
  })
}

function blockEvents({ start, deltas }: Block, index: number): string[] {
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map(delta => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}
