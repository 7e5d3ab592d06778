import { inputText, pieces, type MockError, type MockReply, type MockUsage } from './reply.ts'

/** The events of one answer of the Gemini API, as server-sent events. */
export function googleEvents(reply: MockReply, model: string, id: number): string[] {
  const { toolCalls = [], text = '', thinking = '' } = reply
  const event = (parts: object[], more: object = {}, finish?: string): string => {
    const content = { role: 'model', parts }
    const candidate = { index: 0, content, ...(finish && { finishReason: finish }) }
    const data = {
      candidates: [candidate],
      modelVersion: reply.model ?? model,
      responseId: `r${id}`,
      ...more,
    }
    return `data: ${JSON.stringify(data)}\n\n`
  }
  return [
    ...pieces(thinking).map(piece => event([{ text: piece, thought: true }])),
    ...pieces(text, reply.pieceLength).map(piece => event([{ text: piece }])),
    ...toolCalls.map(call =>
      event([
        {
          functionCall: { name: call.name, args: JSON.parse(inputText(call)) as object },
          thoughtSignature: `signature-${id}`,
        },
      ]),
    ),
    event([{ text: '' }], { usageMetadata: usageOf(reply.usage) }, reply.stop ?? 'STOP'),
  ]
}

export function googleErrorBody({ status, code, type, message = 'scripted error' }: MockError): string {
  return JSON.stringify({ error: { code: status, message, status: type ?? code ?? 'INTERNAL' } })
}

/** An error within a stream. */
export function googleErrorEvent(error: MockError): string {
  return `data: ${googleErrorBody(error)}\n\n`
}

function usageOf({ input = 0, output = 0, cacheRead = 0, reasoning = 0 }: MockUsage = {}): object {
  return {
    promptTokenCount: input + cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cacheRead,
    totalTokenCount: input + cacheRead + output,
  }
}
