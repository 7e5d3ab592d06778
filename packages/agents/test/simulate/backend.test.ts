import type { JsonObject } from '@tutti/protocol'
import { createVirtualClock } from '@tutti/runtime/testing'
import { expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { createSimulateBackend, simulateSpeedOf } from '../../src/simulate/index.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'

const instant = (): Backend => createSimulateBackend({ speed: Infinity, clock: createVirtualClock(0) })
const backend = instant()

const findings: JsonObject = {
  type: 'object',
  required: ['findings'],
  properties: {
    findings: {
      type: 'array',
      items: {
        type: 'object',
        required: ['title', 'file', 'line', 'severity'],
        properties: {
          title: { type: 'string' },
          file: { type: 'string' },
          line: { type: 'integer' },
          severity: { type: 'string', enum: ['low', 'high'] },
          summary: { type: 'string' },
          confidence: { type: 'number' },
          verdict: { type: 'string' },
          confirmed: { type: 'boolean' },
        },
        additionalProperties: false,
      },
    },
  },
}

test('a text answer says that it is simulated and speaks of the prompt', async () => {
  const { outcome, events } = await play(backend, { prompt: 'Audit the login routes. Then stop.' })
  expect(outcome).toMatchObject({ status: 'ok', simulated: true, model: 'simulate', effects: 'none' })
  expect(outcome.status === 'ok' && outcome.value).toMatch(
    /^Simulated answer to "Audit the login routes": .+\.$/,
  )
  expect(events[0]).toEqual({ type: 'model', model: 'simulate' })
  expect(outcome.usage).toMatchObject({ exact: false, cacheRead: 0 })
  expect(outcome.usage.output).toBeGreaterThan(0)
})

test('findings are one to three, readable, and fit their names', async () => {
  for (let n = 1; n <= 20; n++) {
    const { outcome } = await play(backend, {
      schema: findings,
      n,
      prompt: 'Review the session handling in the gateway.',
    })
    const list = ((outcome.status === 'ok' && outcome.value) as { findings: Record<string, unknown>[] })
      .findings
    expect(list.length).toBeGreaterThanOrEqual(1)
    expect(list.length).toBeLessThanOrEqual(3)
    for (const finding of list) {
      expect(finding.title).toMatch(/^Possible problem with [a-z-]+$/)
      expect(finding.file).toMatch(/^[a-z]+\/[a-z-]+\.\w+$/)
      expect(finding.line).toBeGreaterThan(0)
      expect(['low', 'high']).toContain(finding.severity)
      expect(['confirmed', 'plausible', 'refuted']).toContain(finding.verdict)
      expect(finding.summary).toMatch(/^Simulated: /)
    }
    expect(new Set(list.map(finding => finding.title)).size).toBe(list.length)
  }
})

test('the same call gives the same answer, its twin another', async () => {
  const call = { schema: findings, prompt: 'Review it.' }
  const [first, again, twin, other] = [
    await play(backend, call),
    await play(instant(), call),
    await play(backend, { ...call, n: 2 }),
    await play(backend, { ...call, key: 'v2:other' }),
  ]
  expect(again.outcome).toEqual(first.outcome)
  expect(twin.outcome).not.toEqual(first.outcome)
  expect(other.outcome).not.toEqual(first.outcome)
})

test('an answer takes 150 to 1200 ms of the clock, less at a higher speed', async () => {
  for (const [speed, low, high] of [
    [1, 150, 1200],
    [10, 15, 120],
  ] as const) {
    const clock = createVirtualClock(0)
    const timed = createSimulateBackend({ clock, speed })
    for (let n = 1; n <= 10; n++) {
      const { context } = await stageFor()
      const execution = timed.start(callOf({ n }), context)
      const startedAt = clock.now()
      while (clock.pending() === 0) await Promise.resolve()
      await clock.advance(2000)
      const { usage } = await execution.result
      expect(usage.durationMs).toBeGreaterThanOrEqual(low)
      expect(usage.durationMs).toBeLessThanOrEqual(high)
      expect(clock.now() - startedAt).toBe(2000)
    }
  }
})

test('a stop ends it at once', async () => {
  const clock = createVirtualClock(0)
  const { context, stop } = await stageFor()
  const execution = createSimulateBackend({ clock }).start(callOf(), context)
  stop.abort()
  expect(await execution.result).toMatchObject({ status: 'failed', cause: 'stopped' })
  expect(clock.pending()).toBe(0)
})

test('tools are pretended to be used now and then, each with its end', async () => {
  let used = 0
  for (let n = 1; n <= 30; n++) {
    const { events, outcome } = await play(backend, { n })
    const starts = events.filter(event => event.type === 'tool_start')
    expect(events.filter(event => event.type === 'tool_end')).toHaveLength(starts.length)
    expect(outcome.usage.toolUses).toBe(starts.length)
    used += starts.length
  }
  expect(used).toBeGreaterThan(5)
})

test.each<[string, JsonObject]>([
  ['a long list', { type: 'object', required: ['a'], properties: { a: { type: 'array', minItems: 1e9 } } }],
  [
    'a long string',
    { type: 'object', required: ['a'], properties: { a: { type: 'string', minLength: 1e9 } } },
  ],
  [
    'lists within lists',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'array', minItems: 200, items: { type: 'array', minItems: 200 } } },
    },
  ],
  [
    'lists that refer to lists',
    {
      type: 'object',
      required: ['a'],
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'array', minItems: 101, items: { type: 'string' } } },
    },
  ],
])('%s is refused instead of being made up', async (_, schema) => {
  const { outcome } = await play(backend, { schema })
  expect(outcome).toMatchObject({
    status: 'failed',
    cause: 'invalid_request',
    message: expect.stringMatching(/\/a(\/items)? asks for too many/),
  })
})

test('a schema that nothing matches ends with schema_rejected after one submission', async () => {
  const schema = {
    type: 'object',
    required: ['a'],
    properties: { a: { type: 'string', minLength: 5, maxLength: 2 } },
  }
  const { outcome, submitted } = await play(backend, { schema })
  expect(outcome).toMatchObject({ status: 'failed', cause: 'schema_rejected', lastInvalid: submitted[0] })
  expect(submitted).toHaveLength(1)
})

test('a schema that refers to itself is answered quickly', async () => {
  const properties = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, { $ref: '#' }]))
  const { outcome } = await play(backend, { schema: { type: 'object', properties } })
  expect(outcome.status).toBe('ok')
})

test('the transcript has the prompt and the answer', async () => {
  const { transcript } = await play(backend, { prompt: 'Hello there.' })
  expect(transcript).toMatchObject([
    { type: 'user', message: { content: [{ text: 'Hello there.' }] } },
    { type: 'assistant', message: { content: [{ text: expect.stringContaining('Simulated') }] } },
  ])
})

test.each([
  [undefined, 1],
  ['instant', Infinity],
  ['4', 4],
  ['0', 1],
  ['-1', 1],
  ['fast', 1],
])('TUTTI_SIMULATE_SPEED=%s is speed %s', (given, speed) => {
  expect(simulateSpeedOf({ TUTTI_SIMULATE_SPEED: given })).toBe(speed)
})
