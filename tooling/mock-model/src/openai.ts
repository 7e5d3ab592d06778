import { inputText, pieces, type MockError, type MockReply, type MockUsage } from './reply.ts'

/** The events of one OpenAI chat completion, as server-sent events. */
export function openaiEvents(reply: MockReply, model: string, id: number): string[] {
  const { toolCalls = [], text = '' } = reply
  const chunk = (choices: object[], more: object = {}): string => {
    const head = {
      id: `chatcmpl-${id}`,
      object: 'chat.completion.chunk',
      created: 0,
      model: reply.model ?? model,
    }
    return `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`
  }
  const delta = (value: object, finish: string | null = null): string =>
    chunk([{ index: 0, delta: value, finish_reason: finish }])
  return [
    delta({ role: 'assistant', content: '' }),
    ...pieces(reply.thinking ?? '').map(piece => delta({ reasoning_content: piece })),
    ...pieces(text, reply.pieceLength).map(content => delta({ content })),
    ...toolCalls.flatMap((call, index) => [
      delta({
        tool_calls: [
          {
            index,
            id: `call_${id}_${index}`,
            type: 'function',
            function: { name: call.name, arguments: '' },
          },
        ],
      }),
      ...pieces(inputText(call)).map(piece =>
        delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    delta({}, reply.stop ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')),
    ...(reply.usage ? [chunk([], { usage: usageOf(reply.usage) })] : []),
    'data: [DONE]\n\n',
  ]
}

export function openaiErrorBody({
  type = 'server_error',
  code,
  message = 'scripted error',
}: MockError): string {
  return JSON.stringify({ error: { message, type, param: null, code: code ?? null } })
}

/** An error within a stream. */
export function openaiErrorEvent(error: MockError): string {
  return `data: ${openaiErrorBody(error)}\n\n`
}

function usageOf({ input = 0, output = 0, cacheRead = 0, reasoning = 0 }: MockUsage): object {
  return {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    total_tokens: input + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
