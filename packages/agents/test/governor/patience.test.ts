import { startMockModel, type MockReply } from '@tutti-internal/mock-model'
import type { Clock } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import type { Wire } from '../../src/model/endpoint.ts'
import { play, type Played } from '../stage/stage.ts'
import { modelBackend } from '../model/backend-at.ts'
import { projectWith } from '../tools/project.ts'

/** Time passes as soon as it is waited for; what was waited for is kept. */
function hurriedClock(): Clock & { waits: number[] } {
  const waits: number[] = []
  let now = 1_800_000_000_000
  return {
    waits,
    now: () => now,
    timer(ms, callback) {
      // Signs of life and limits of commands are no waits.
      if (ms >= 15_000) return { cancel: () => {} }
      const handle = setImmediate(() => {
        waits.push(ms)
        now += ms
        callback()
      })
      return { cancel: () => clearImmediate(handle) }
    },
  }
}

const refusal = (status: number, headers: Record<string, string> = {}, message = 'no'): MockReply => ({
  error: { status, message, headers },
})

async function tell(
  replies: MockReply[],
  wire: Wire = 'anthropic',
): Promise<Played & { asked: number; waits: number[] }> {
  await using project = await projectWith({ a: 'x' })
  await using server = await startMockModel({ replies })
  const clock = hurriedClock()
  const workspace = { projectRoot: project.root, env: {} }
  const backend = modelBackend(wire, server.url, { retriesInPlace: 3, clock, workspace })
  const played = await play(backend)
  return { ...played, asked: server.requests.length, waits: clock.waits }
}

const reading: MockReply = { toolCalls: [{ name: 'Read', input: { file_path: 'a' } }] }

describe.each(['anthropic', 'openai'] as const)('over the %s wire', wire => {
  test('a refused request is sent again after the time the server asked for', async () => {
    const { outcome, asked, waits } = await tell(
      [refusal(429, { 'retry-after': '3' }), { text: 'fine' }],
      wire,
    )
    expect(outcome).toMatchObject({ status: 'ok', value: 'fine' })
    expect([asked, waits]).toEqual([2, [3000]])
  })

  test('overload is waited out, with growing patience', async () => {
    const { outcome, waits } = await tell([refusal(529), refusal(503), { text: 'fine' }], wire)
    expect(outcome.status).toBe('ok')
    expect(waits).toHaveLength(2)
    expect(waits[0]).toBeGreaterThanOrEqual(250)
    expect(waits[1]).toBeGreaterThanOrEqual(500)
  })

  test('after three more refusals it is the outcome', async () => {
    const { outcome, asked } = await tell(
      Array.from({ length: 9 }, () => refusal(429)),
      wire,
    )
    expect(outcome).toMatchObject({ status: 'failed', cause: 'rate_limited' })
    expect(asked).toBe(4)
  })

  test.each([
    [429, 'You exceeded your current quota', 'quota'],
    [429, 'Your credit balance is too low', 'billing'],
    [401, 'invalid key', 'auth'],
  ])('a spent or refused account is not asked again: %s %s', async (status, message, cause) => {
    const { outcome, asked } = await tell([refusal(status, {}, message)], wire)
    expect(outcome).toMatchObject({ status: 'failed', cause })
    expect(asked).toBe(1)
  })

  test('a longer wait than half a minute is left to the run', async () => {
    const { outcome, asked } = await tell([refusal(429, { 'retry-after': '600' })], wire)
    expect(outcome).toMatchObject({ cause: 'rate_limited', retryAfterMs: 600_000 })
    expect(asked).toBe(1)
  })

  test('an error of the server ends a talk that has not begun, and is overcome within one', async () => {
    const first = await tell([refusal(500), { text: 'fine' }], wire)
    expect(first.outcome).toMatchObject({ cause: 'server_error' })
    const within = await tell([reading, refusal(500), refusal(502), { text: 'fine' }], wire)
    expect(within.outcome).toMatchObject({ status: 'ok', value: 'fine' })
    expect(within.asked).toBe(4)
  })

  test('an answer that breaks off within a talk is asked for again', async () => {
    const { outcome, asked } = await tell(
      [reading, { text: 'one two three four', disconnectAfter: 4 }, { text: 'whole' }],
      wire,
    )
    expect(outcome).toMatchObject({ status: 'ok', value: 'whole' })
    expect(asked).toBe(3)
  })

  test('a limit that is used up is waited for', async () => {
    const headers = {
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2',
    }
    const { outcome, waits } = await tell([refusal(529, headers), { text: 'fine' }], wire)
    expect(outcome.status).toBe('ok')
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(2000)
  })
})

test('a talk that became too long goes on without what older tools returned', async () => {
  await using project = await projectWith({ big: 'long line of text\n'.repeat(100) })
  const read: MockReply = { toolCalls: [{ name: 'Read', input: { file_path: 'big' } }] }
  const tooLong: MockReply = {
    error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 9 > 8' },
  }
  await using server = await startMockModel({
    replies: [read, read, read, tooLong, tooLong, { text: 'fine' }],
  })
  const workspace = { projectRoot: project.root, env: {} }
  const { outcome } = await play(modelBackend('anthropic', server.url, { workspace }))
  expect(outcome).toMatchObject({ status: 'ok', value: 'fine' })
  const whole = server.requests.map(({ body }) => JSON.stringify(body).split('100→long line').length - 1)
  expect(whole).toEqual([0, 1, 2, 3, 2, 1])
  expect(JSON.stringify(server.requests[5]?.body)).toContain('left out to make room')
})

test('when there is nothing left to leave out it ends as context_overflow', async () => {
  const tooLong: MockReply = { error: { status: 413, type: 'request_too_large', message: 'too large' } }
  const { outcome, asked } = await tell([reading, tooLong])
  expect(outcome).toMatchObject({ status: 'failed', cause: 'context_overflow' })
  expect(asked).toBe(2)
})
