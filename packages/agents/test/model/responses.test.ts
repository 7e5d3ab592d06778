import { startMockModel, type MockModel, type MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { play } from '../stage/stage.ts'
import { projectWith } from '../tools/project.ts'
import { modelBackend, SECRET } from './backend-at.ts'

const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const submit = (n: unknown): MockReply => ({ toolCalls: [{ name: 'StructuredOutput', input: { n } }] })

describe('over the responses wire', () => {
  async function at(replies: MockReply[]): Promise<{ server: MockModel; backend: Backend }> {
    const server = await startMockModel({ replies })
    return { server, backend: modelBackend('responses', server.url) }
  }

  test('text arrives with its tokens, and the endpoint is told to keep nothing', async () => {
    const usage = { input: 40, output: 50, cacheRead: 900, reasoning: 30 }
    const { server, backend } = await at([{ text: 'All is well.', usage }])
    await using _ = server
    const { outcome, events } = await play(backend, { effort: 'max' })
    expect(outcome).toMatchObject({
      status: 'ok',
      value: 'All is well.',
      usage: { input: 40, output: 50, cacheRead: 900, reasoning: 30 },
    })
    expect(events.filter(event => event.type === 'text').length).toBeGreaterThan(1)
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(server.requests[0]?.body).toMatchObject({ store: false })
  })

  test('an object is corrected, and the tool forced after a turn without it', async () => {
    const { server, backend } = await at([submit('one'), { text: 'It is one.' }, submit(1)])
    await using _ = server
    const { outcome, submitted } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
    expect(submitted).toEqual([{ n: 'one' }, { n: 1 }])
    expect(JSON.stringify(server.requests[1]?.body)).toContain('/n must be integer')
    expect(server.requests[2]?.body.tool_choice).toMatchObject({ name: 'StructuredOutput' })
  })

  test('tools are used, and thoughts go back sealed', async () => {
    await using project = await projectWith({ a: 'inside' })
    const read = { toolCalls: [{ name: 'Read', input: { file_path: 'a' } }], thinking: 'let me see' }
    await using server = await startMockModel({ replies: [read, { text: 'done' }] })
    const workspace = { projectRoot: project.root, env: {} }
    const { outcome } = await play(modelBackend('responses', server.url, { workspace }))
    expect(outcome).toMatchObject({ status: 'ok', value: 'done' })
    const input = JSON.stringify(server.requests[1]?.body.input)
    expect(input).toContain('signature-1')
    expect(input).toContain('1→inside')
  })

  test.each([
    [{ text: 'Half', stop: 'max_output_tokens' }, 'context_overflow'],
    [{ text: 'I', stop: 'content_filter' }, 'refused'],
    [{ text: 'one two three four', endAfter: 4 }, 'network'],
    [{ text: 'one two', errorAfter: 3, error: { status: 500, code: 'server_error' } }, 'server_error'],
    [{ error: { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' } }, 'auth'],
    [{ error: { status: 429, type: 'insufficient_quota', message: 'quota exceeded' } }, 'quota'],
    [{ error: { status: 400, code: 'context_length_exceeded' } }, 'context_overflow'],
  ] satisfies [MockReply, string][])('%j is its cause', async (reply, cause) => {
    const { server, backend } = await at([reply])
    await using _ = server
    expect((await play(backend)).outcome).toMatchObject({ status: 'failed', cause })
  })
})
