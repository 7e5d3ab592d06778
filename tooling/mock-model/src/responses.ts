import { inputText, pieces, type MockError, type MockReply, type MockUsage } from './reply.ts'

/** The events of one answer of the OpenAI Responses API, as server-sent events. */
export function responsesEvents(reply: MockReply, model: string, id: number): string[] {
  const { toolCalls = [], text = '', thinking = '', stop } = reply
  const items = [
    ...(thinking === '' ? [] : [reasoningItem(thinking, id)]),
    ...(text === '' ? [] : [messageItem(text, id, reply.pieceLength)]),
    ...toolCalls.map((call, n) => callItem(call.name, inputText(call), `${id}_${n}`)),
  ]
  const head = { id: `resp_${id}`, object: 'response', created_at: 0, model: reply.model ?? model }
  const output = items.map(({ done }) => done)
  const usage = reply.usage && { usage: usageOf(reply.usage) }
  const end =
    stop === undefined
      ? { status: 'completed' }
      : { status: 'incomplete', incomplete_details: { reason: stop } }
  return [
    event({ type: 'response.created', response: { ...head, status: 'in_progress', output: [] } }),
    ...items.flatMap(({ added, done, deltas }, output_index) => [
      event({ type: 'response.output_item.added', output_index, item: added }),
      ...deltas.map(delta => event({ ...delta, output_index })),
      event({ type: 'response.output_item.done', output_index, item: done }),
    ]),
    event({
      type: stop === undefined ? 'response.completed' : 'response.incomplete',
      response: { ...head, output, ...usage, ...end },
    }),
  ]
}

interface Event {
  type: string
  [field: string]: unknown
}

interface Item {
  added: object
  done: object
  deltas: Event[]
}

function messageItem(text: string, id: number, length: number | undefined): Item {
  const item = { type: 'message', id: `msg_${id}`, role: 'assistant' }
  const deltas = pieces(text, length).map(delta => ({
    type: 'response.output_text.delta',
    item_id: item.id,
    content_index: 0,
    delta,
  }))
  const content = [{ type: 'output_text', text, annotations: [] }]
  return {
    added: { ...item, content: [], status: 'in_progress' },
    done: { ...item, content, status: 'completed' },
    deltas,
  }
}

function reasoningItem(thinking: string, id: number): Item {
  const item = { type: 'reasoning', id: `rs_${id}`, summary: [] }
  const place = { item_id: item.id, summary_index: 0 }
  const deltas = pieces(thinking).map(delta => ({
    type: 'response.reasoning_summary_text.delta',
    ...place,
    delta,
  }))
  return {
    added: item,
    done: { ...item, encrypted_content: `signature-${id}` },
    deltas: [{ type: 'response.reasoning_summary_part.added', ...place }, ...deltas],
  }
}

function callItem(name: string, input: string, id: string): Item {
  const item = { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, ...toolName(name) }
  const deltas = pieces(input).map(delta => ({
    type: 'response.function_call_arguments.delta',
    item_id: item.id,
    delta,
  }))
  return {
    added: { ...item, arguments: '' },
    done: { ...item, arguments: input, status: 'completed' },
    deltas,
  }
}

/** Tools of a namespace are named `namespace/name` in a reply. */
function toolName(name: string): { name: string; namespace?: string } {
  const slash = name.indexOf('/')
  return slash < 0 ? { name } : { namespace: name.slice(0, slash), name: name.slice(slash + 1) }
}

/** An error within a stream. */
export function responsesErrorEvent({ code, type, message = 'scripted error' }: MockError): string {
  return event({
    type: 'response.failed',
    sequence_number: 0,
    response: {
      id: 'resp_failed',
      status: 'failed',
      error: { code: code ?? type ?? 'server_error', message },
    },
  })
}

function event(data: Event): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

function usageOf({ input = 0, output = 0, cacheRead = 0, reasoning = 0 }: MockUsage): object {
  return {
    input_tokens: input + cacheRead,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + cacheRead + output,
  }
}
