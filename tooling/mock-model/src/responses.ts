import { inputText, pieces, type MockError, type MockReply, type MockUsage } from './reply.ts'

/** The events of one answer of the OpenAI Responses wire, as server-sent events. */
export function responsesEvents(reply: MockReply, model: string, id: number): string[] {
  const { toolCalls = [], text = '' } = reply
  const head = { id: `resp_${id}`, object: 'response', created_at: 0, model: reply.model ?? model }
  const calls = toolCalls.map((call, n) => ({
    type: 'function_call',
    id: `fc_${id}_${n}`,
    call_id: `call_${id}_${n}`,
    ...toolName(call.name),
    arguments: inputText(call),
    status: 'completed',
  }))
  const items = [...(text === '' ? [] : [messageOf(text, id)]), ...calls]
  const incomplete = reply.stop === 'max_output_tokens'
  return [
    event('response.created', { response: { ...head, status: 'in_progress', output: [] } }),
    ...items.flatMap((item, index) => itemEvents(item, index, reply)),
    event(incomplete ? 'response.incomplete' : 'response.completed', {
      response: {
        ...head,
        status: incomplete ? 'incomplete' : 'completed',
        output: items,
        usage: usageOf(reply.usage ?? {}),
        ...(incomplete && { incomplete_details: { reason: reply.stop } }),
      },
    }),
  ]
}

/** An error within a stream. */
export function responsesErrorEvent({ code, message = 'scripted error' }: MockError): string {
  return event('response.failed', {
    response: { id: 'resp_failed', status: 'failed', error: { code: code ?? 'server_error', message } },
  })
}

interface Item {
  type: string
  id: string
  [field: string]: unknown
}

function messageOf(text: string, id: number): Item {
  const content = [{ type: 'output_text', text, annotations: [] }]
  return { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }
}

/** Tools of a namespace are named `namespace/name` in a reply. */
function toolName(name: string): { name: string; namespace?: string } {
  const slash = name.indexOf('/')
  return slash < 0 ? { name } : { namespace: name.slice(0, slash), name: name.slice(slash + 1) }
}

function itemEvents(item: Item, index: number, { text = '', pieceLength }: MockReply): string[] {
  const at = { item_id: item.id, output_index: index }
  const isMessage = item.type === 'message'
  const begun = isMessage ? { ...item, content: [], status: 'in_progress' } : { ...item, arguments: '' }
  const deltas = isMessage
    ? pieces(text, pieceLength).map(delta =>
        event('response.output_text.delta', { ...at, content_index: 0, delta }),
      )
    : pieces(String(item['arguments'])).map(delta =>
        event('response.function_call_arguments.delta', { ...at, delta }),
      )
  return [
    event('response.output_item.added', { output_index: index, item: begun }),
    ...deltas,
    event('response.output_item.done', { output_index: index, item }),
  ]
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

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}
