import type { AgentUsage } from '@tutti/protocol'
import type { AgentOutcome } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { withCost } from '../src/prices.ts'

const PRICES = { m: { input: 3, output: 15, cacheRead: 0.3 } }

function outcome(usage: Partial<AgentUsage>, model?: string): AgentOutcome {
  const all = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 0, ...usage }
  return { status: 'ok', value: 'x', effects: 'none', usage: all, ...(model !== undefined && { model }) }
}

const cost = (usage: Partial<AgentUsage>, model?: string): number | null | undefined =>
  withCost(outcome(usage, model), PRICES).usage.costUsd

test('every kind of token has its price, and cached ones that have none cost as much as others', () => {
  expect(cost({ input: 1_000_000 }, 'm')).toBeCloseTo(3)
  expect(cost({ output: 100_000 }, 'm')).toBeCloseTo(1.5)
  expect(cost({ cacheRead: 1_000_000 }, 'm')).toBeCloseTo(0.3)
  expect(cost({ cacheWrite: 1_000_000 }, 'm')).toBeCloseTo(3)
})

test('a model without a price costs an unknown amount, never nothing', () => {
  expect(cost({ output: 1 }, 'other')).toBeNull()
  expect(cost({ output: 1 })).toBeNull()
  expect(cost({ output: 1 }, 'constructor')).toBeNull()
})

test('what spent no tokens has no cost', () => {
  expect(cost({}, 'other')).toBeUndefined()
})

test('an amount that a backend gives itself stays; where it knows none, the prices do', () => {
  expect(cost({ output: 1_000_000, costUsd: 0.5 }, 'm')).toBe(0.5)
  expect(cost({ output: 1_000_000, costUsd: null }, 'm')).toBeCloseTo(15)
  expect(cost({ output: 1_000_000, costUsd: null }, 'other')).toBeNull()
})

test('what was made up costs nothing, unless it is given a price', () => {
  const made = (model: string): AgentOutcome =>
    ({ ...outcome({ output: 1_000_000 }, model), simulated: true }) as AgentOutcome
  expect(withCost(made('simulate'), PRICES).usage).not.toHaveProperty('costUsd')
  expect(withCost(made('m'), PRICES).usage.costUsd).toBeCloseTo(15)
})
