import { startMockModel, type MockError, type MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import { endpointFailure } from '../../src/model/failure.ts'
import { play } from '../stage/stage.ts'
import { modelBackend } from './backend-at.ts'

describe.each(['anthropic', 'openai'] as const)('over the %s wire', wire => {
  async function failureOf(reply: MockReply): Promise<Record<string, unknown>> {
    await using server = await startMockModel({ replies: [reply] })
    const { outcome } = await play(modelBackend(wire, server.url))
    expect(server.requests).toHaveLength(1)
    return { ...outcome }
  }

  test.each<[string, MockError]>([
    ['rate_limited', { status: 429, type: 'rate_limit_error', message: 'Too many requests' }],
    ['quota', { status: 429, type: 'insufficient_quota', message: 'You exceeded your current quota' }],
    ['quota', { status: 429, message: 'You have hit your weekly limit' }],
    ['billing', { status: 429, type: 'billing_error', message: 'Payment needed' }],
    ['billing', { status: 402, message: 'Payment Required' }],
    ['billing', { status: 400, type: 'invalid_request_error', message: 'Your credit balance is too low' }],
    ['auth', { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }],
    ['auth', { status: 403, type: 'permission_error', message: 'not yours' }],
    ['overloaded', { status: 529, type: 'overloaded_error', message: 'Overloaded' }],
    ['overloaded', { status: 503, body: 'busy' }],
    ['server_error', { status: 500, message: 'oops' }],
    ['server_error', { status: 502, body: '<html>Bad gateway</html>' }],
    ['model_not_found', { status: 404, type: 'not_found_error', message: 'model: nope' }],
    ['invalid_request', { status: 404, body: 'no such page' }],
    [
      'context_overflow',
      { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens' },
    ],
    [
      'context_overflow',
      { status: 400, code: 'context_length_exceeded', message: 'This model has a maximum context length' },
    ],
    ['context_overflow', { status: 413, type: 'request_too_large', message: 'too large' }],
    [
      'refused',
      { status: 400, code: 'content_filter', message: 'Output blocked by content filtering policy' },
    ],
    ['invalid_request', { status: 400, type: 'invalid_request_error', message: 'messages: field required' }],
  ])('%s: %o', async (cause, error) => {
    expect(await failureOf({ error })).toMatchObject({
      status: 'failed',
      cause,
      effects: 'none',
      message: expect.stringContaining(String(error.status)),
    })
  })

  test('retry-after is honoured in seconds, milliseconds and as part of an overload', async () => {
    const wait = (status: number, headers: Record<string, string>) =>
      failureOf({ error: { status, headers } })
    expect(await wait(429, { 'retry-after': '7' })).toMatchObject({
      cause: 'rate_limited',
      retryAfterMs: 7000,
    })
    expect(await wait(429, { 'retry-after': '7', 'retry-after-ms': '250' })).toMatchObject({
      retryAfterMs: 250,
    })
    expect(await wait(529, { 'retry-after': '2' })).toMatchObject({ cause: 'overloaded', retryAfterMs: 2000 })
    expect(await wait(529, {})).not.toHaveProperty('retryAfterMs')
  })

  test('an exhausted account says when it can go on', async () => {
    const headers = { 'anthropic-ratelimit-unified-reset': '1790000000', 'retry-after': '60' }
    const error = { status: 429, message: 'usage limit reached', headers }
    expect(await failureOf({ error })).toMatchObject({ cause: 'quota', resetAt: 1_790_000_000_000 })
  })

  test('a limit that holds for long is one of the account', async () => {
    const error = { status: 429, headers: { 'retry-after': '7200' } }
    const before = Date.now()
    const { cause, resetAt } = await failureOf({ error })
    expect(cause).toBe('quota')
    expect(resetAt).toBeGreaterThanOrEqual(before + 7_200_000)
    expect(resetAt).toBeLessThanOrEqual(Date.now() + 7_200_000)
  })

  test('an error within the stream ends it with the text so far', async () => {
    const error = { status: 200, type: 'overloaded_error', message: 'Overloaded' }
    const outcome = await failureOf({ text: 'one two three four', error, errorAfter: 4 })
    expect(outcome).toMatchObject({ status: 'failed', lastText: expect.stringContaining('one') })
    expect(outcome.cause).toBe('overloaded')
  })

  test('an error as the first event counts as one', async () => {
    const error = { status: 200, type: 'overloaded_error', message: 'Overloaded' }
    expect(await failureOf({ text: 'x', error, errorAfter: 0 })).toMatchObject({ cause: 'overloaded' })
  })
})

test('anything that can be thrown has a cause', () => {
  for (const error of [undefined, null, 7, 'text', {}, [], new Error(''), Symbol('s')]) {
    const { cause, message } = endpointFailure(error, 0)
    expect(['network', 'server_error']).toContain(cause)
    expect(message).not.toBe('')
  }
})

test('a long reason is cut', () => {
  expect(
    endpointFailure({ error: { type: 'api_error', message: 'x'.repeat(5000) } }, 0).message.length,
  ).toBeLessThan(700)
})
