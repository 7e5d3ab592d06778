import { startMockModel, type MockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'

/** What the model says to the messages that a pattern fits; a function sees the request. */
export type Line = [heard: RegExp, says: MockReply | ((request: MockRequest) => MockReply)]

const USAGE = { input: 10, output: 5 }

/** A model server that answers by the last message it is sent; the first line that fits counts. */
export function startScriptedModel(lines: Line[]): Promise<MockModel> {
  return startMockModel({
    replies: request => {
      const heard = lastMessage(request)
      const found = lines.find(([pattern]) => pattern.test(heard))
      if (found === undefined) {
        return { error: { status: 400, message: `no line for ${JSON.stringify(heard.slice(0, 300))}` } }
      }
      const reply = typeof found[1] === 'function' ? found[1](request) : found[1]
      return { usage: USAGE, ...reply }
    },
  })
}

/** What was said last: a text, or else the tool results. What was left unanswered before it does not count. */
export function lastMessage({ body }: MockRequest): string {
  const messages = body['messages'] as { content: unknown }[] | undefined
  const content = messages?.at(-1)?.content
  if (typeof content === 'string') return content
  const last = (content as { text?: unknown }[] | undefined)?.at(-1)
  return typeof last?.text === 'string' ? last.text : JSON.stringify(content ?? '')
}

/** The model uses one tool. */
export function uses(name: string, input: object): MockReply {
  return { toolCalls: [{ name, input }] }
}

export function says(text: string): MockReply {
  return { text }
}

/** An answer that has begun and does not end. */
export function hangs(): MockReply {
  return { text: 'thinking about it', hangAfter: 2 }
}

/** The names of the tools that a request offers. */
export function toolsOf({ body }: MockRequest): string[] {
  return ((body['tools'] as { name: string }[] | undefined) ?? []).map(({ name }) => name)
}
