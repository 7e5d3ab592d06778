import { startMockModel } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import { createMeter } from '../../src/model/cost.ts'
import { PRICES_BY_HOST } from '../../src/model/price-table.ts'
import { play } from '../stage/stage.ts'
import { modelBackend } from './backend-at.ts'

const million = { input: 1e6, output: 1e6, cacheRead: 1e6, cacheWrite: 1e6 }
const small = { input: 1000, output: 100, cacheRead: 0, cacheWrite: 0 }

describe('a meter', () => {
  const [input = 0, output = 0] = PRICES_BY_HOST['api.anthropic.com']?.['claude-sonnet-5-5'] ?? []
  const expected = (1000 * input + 100 * output) / 1e6

  test('knows the models of the table, at gateways and with a date too', () => {
    expect(expected).toBeGreaterThan(0)
    for (const url of ['https://api.anthropic.com/v1', 'http://127.0.0.1:8080/v1', 'nonsense'])
      expect(createMeter(url)(small, ['claude-sonnet-5-5'])).toBeCloseTo(expected, 12)
    expect(createMeter('')(small, ['claude-sonnet-5-5-20260901'])).toBeCloseTo(expected, 12)
    expect(createMeter('')(small, ['unknown', 'claude-sonnet-5-5'])).toBeCloseTo(expected, 12)
  })

  test('knows open models at their own host only', () => {
    const [model = ''] = Object.keys(PRICES_BY_HOST['api.deepseek.com'] ?? {})
    expect(createMeter('https://api.deepseek.com/v1')(small, [model])).toBeGreaterThan(0)
    expect(createMeter('http://127.0.0.1:11434/v1')(small, [model])).toBeNull()
  })

  test('takes given prices first, and counts cached tokens as others where they have none', () => {
    const prices = {
      'claude-sonnet-5-5': { input: 1, output: 2 },
      own: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 3 },
    }
    const meter = createMeter('https://api.anthropic.com/v1', prices)
    expect(meter(million, ['claude-sonnet-5-5'])).toBe(1 + 2 + 1 + 1)
    expect(meter(million, ['own'])).toBe(1 + 2 + 0.5 + 3)
  })

  test('counts long requests at their price', () => {
    const [model, row] = Object.entries(PRICES_BY_HOST['api.openai.com'] ?? {}).find(
      ([, row]) => row.length > 4,
    )!
    const meter = createMeter('')
    const long = { ...small, input: row[4]! + 1 }
    expect(meter({ ...long, input: row[4]! }, [model])).toBeCloseTo(
      (row[4]! * row[0]! + 100 * row[1]!) / 1e6,
      9,
    )
    expect(meter(long, [model])).toBeCloseTo((long.input * row[5]! + 100 * row[6]!) / 1e6, 9)
  })

  test('says null for what it does not know, and where no tokens were reported', () => {
    expect(createMeter('https://api.openai.com/v1')(small, ['toString'])).toBeNull()
    expect(createMeter('')(small, ['claude-sonnet-5-5x'])).toBeNull()
    expect(
      createMeter('')({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, ['claude-sonnet-5-5']),
    ).toBeNull()
  })

  test('every row has four prices, or nine numbers', () => {
    for (const rows of Object.values(PRICES_BY_HOST))
      for (const row of Object.values(rows)) {
        expect([4, 9]).toContain(row.length)
        expect(row.every(number => number > 0)).toBe(true)
      }
  })
})

describe.each(['anthropic', 'openai'] as const)('over the %s wire', wire => {
  test('costs add up over the turns of an agent', async () => {
    const usage = { input: 1000, output: 100 }
    const wrong = { toolCalls: [{ name: 'StructuredOutput', input: {} }], usage }
    const right = { toolCalls: [{ name: 'StructuredOutput', input: { n: 1 } }], usage }
    const schema = { type: 'object', required: ['n'] }
    await using server = await startMockModel({ replies: [wrong, right, wrong, right] })
    const known = modelBackend(wire, server.url, { prices: { 'test-model': { input: 1, output: 10 } } })
    expect((await play(known, { schema })).outcome.usage.costUsd).toBeCloseTo(0.004, 9)
    const unknown = modelBackend(wire, server.url)
    expect((await play(unknown, { schema })).outcome.usage.costUsd).toBeNull()
  })

  test('an answer that never came costs nothing that is known', async () => {
    await using server = await startMockModel({ replies: [{ error: { status: 401 } }] })
    expect((await play(modelBackend(wire, server.url))).outcome.usage).not.toHaveProperty('costUsd')
  })
})

test('thoughts are counted', async () => {
  const usage = { input: 10, output: 50, reasoning: 30 }
  await using server = await startMockModel({ replies: [{ text: 'x', usage }] })
  const { outcome } = await play(modelBackend('openai', server.url))
  expect(outcome.usage).toMatchObject({ output: 50, reasoning: 30 })
})

test('tokens that an endpoint counts below nothing give nothing back', async () => {
  await using server = await startMockModel({
    replies: [{ text: 'x', usage: { input: -50, output: -3, cacheRead: -7 } }],
  })
  const { outcome } = await play(modelBackend('anthropic', server.url))
  expect(outcome.usage).toMatchObject({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0 })
})
