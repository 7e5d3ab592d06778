import type { MockRequest } from '@tutti-internal/mock-model'
import { expect } from 'vitest'

interface Sent {
  role: string
  content: { type: string; id?: string; tool_use_id?: string; text?: string }[]
}

/** What the Messages API demands of the history in a request. */
export function expectTaken(request: MockRequest | undefined): void {
  const messages = (request?.body.messages ?? []) as Sent[]
  let open: (string | undefined)[] = []
  for (const [at, { role, content }] of messages.entries()) {
    expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant')
    expect(content).not.toEqual([])
    expect(content.filter(({ text }) => text === '')).toEqual([])
    const results = content.filter(({ type }) => type === 'tool_result')
    expect(results.map(result => result.tool_use_id)).toEqual(open)
    expect(content.slice(0, results.length)).toEqual(results)
    open = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  }
  expect(open).toEqual([])
  expect(messages.at(-1)?.role).toBe('user')
}
