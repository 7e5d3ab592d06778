import { startMockModel, type MockModel, type MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { play } from '../stage/stage.ts'
import { projectWith } from '../tools/project.ts'
import { modelBackend, SECRET } from './backend-at.ts'

const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const submit = (n: unknown): MockReply => ({ toolCalls: [{ name: 'StructuredOutput', input: { n } }] })

describe('over the google wire', () => {
  async function at(replies: MockReply[]): Promise<{ server: MockModel; backend: Backend }> {
    const server = await startMockModel({ replies })
    return { server, backend: modelBackend('google', server.url) }
  }

  test('text arrives with its tokens, and the credential in its header only', async () => {
    const usage = { input: 40, output: 50, cacheRead: 900, reasoning: 30 }
    const { server, backend } = await at([{ text: 'All is well.', thinking: 'hm', usage }])
    await using _ = server
    const { outcome, events } = await play(backend)
    expect(outcome).toMatchObject({
      status: 'ok',
      value: 'All is well.',
      usage: { input: 40, output: 50, cacheRead: 900, reasoning: 30 },
    })
    expect(events.filter(event => event.type === 'text').length).toBeGreaterThan(1)
    expect(server.requests[0]?.headers['x-goog-api-key']).toBe(SECRET)
    expect(server.requests[0]?.path).toBe('/v1beta/models/test-model:streamGenerateContent?alt=sse')
  })

  test('an object is corrected, and the tool forced after a turn without it', async () => {
    const { server, backend } = await at([submit('one'), { text: 'It is one.' }, submit(1)])
    await using _ = server
    const { outcome, submitted } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
    expect(submitted).toEqual([{ n: 'one' }, { n: 1 }])
    expect(JSON.stringify(server.requests[1]?.body)).toContain('/n must be integer')
    expect(JSON.stringify(server.requests[2]?.body.toolConfig)).toContain('StructuredOutput')
  })

  test('the signature of a tool call goes back with it', async () => {
    await using project = await projectWith({ a: 'inside' })
    const replies = [{ toolCalls: [{ name: 'Read', input: { file_path: 'a' } }] }, { text: 'done' }]
    await using server = await startMockModel({ replies })
    const workspace = { projectRoot: project.root, env: {} }
    const { outcome } = await play(modelBackend('google', server.url, { workspace }), { effort: 'max' })
    expect(outcome).toMatchObject({ status: 'ok', value: 'done' })
    const contents = JSON.stringify(server.requests[1]?.body.contents)
    expect(contents).toContain('signature-1')
    expect(contents).toContain('1→inside')
    expect(JSON.stringify(server.requests[0]?.body.generationConfig)).toContain('"thinkingLevel":"high"')
  })

  test.each([
    [{ text: 'Half', stop: 'MAX_TOKENS' }, 'context_overflow'],
    [{ text: 'I', stop: 'SAFETY' }, 'refused'],
    [{ text: 'one two three four', endAfter: 2 }, 'network'],
    [{ error: { status: 403, type: 'PERMISSION_DENIED' } }, 'auth'],
    [
      {
        error: {
          status: 400,
          type: 'INVALID_ARGUMENT',
          message:
            'The input token count exceeds the maximum number of tokens allowed: too many input tokens',
        },
      },
      'context_overflow',
    ],
    [{ error: { status: 404, type: 'NOT_FOUND', message: 'models/x is not found' } }, 'model_not_found'],
    [{ error: { status: 503, type: 'UNAVAILABLE', message: 'The model is overloaded' } }, 'overloaded'],
    [{ error: limit('PerMinute', '7s') }, 'rate_limited'],
    [{ error: limit('PerDay', '7s') }, 'quota'],
  ] satisfies [MockReply, string][])('%j is its cause', async (reply, cause) => {
    const { server, backend } = await at([reply])
    await using _ = server
    expect((await play(backend)).outcome).toMatchObject({ status: 'failed', cause })
  })

  test('a limit that passes says when', async () => {
    const { server, backend } = await at([{ error: limit('PerMinute', '34.5s') }])
    await using _ = server
    expect((await play(backend)).outcome).toMatchObject({ cause: 'rate_limited', retryAfterMs: 34_500 })
  })

  test('a limit that passes is waited for', async () => {
    await using server = await startMockModel({
      replies: [{ error: limit('PerMinute', '0.01s') }, { text: 'fine' }],
    })
    const { outcome } = await play(modelBackend('google', server.url, { retriesInPlace: 1 }))
    expect(outcome).toMatchObject({ status: 'ok', value: 'fine' })
  })
})

/** Google calls every limit a quota. */
function limit(period: string, retryDelay: string): { status: number; body: string } {
  const details = [
    {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: `Requests${period}PerProject` }],
    },
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
  ]
  const message = 'You exceeded your current quota, please check your plan and billing details.'
  return {
    status: 429,
    body: JSON.stringify({ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } }),
  }
}
