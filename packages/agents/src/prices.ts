import type { AgentUsage, ModelPrice } from '@tutti/protocol'
import type { AgentOutcome } from '@tutti/runtime'

/** Model id → price in US dollars per million tokens. */
export type Prices = Record<string, ModelPrice>

const MILLION = 1_000_000

/**
 * An outcome with what it cost; null when the price of its model is not known. An amount that a backend gives itself
 * stays, and what was made up costs nothing unless it is given a price.
 */
export function withCost(outcome: AgentOutcome, prices: Prices): AgentOutcome {
  const { usage, model } = outcome
  if (
    typeof usage.costUsd === 'number' ||
    usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0
  )
    return outcome
  const price = model !== undefined && Object.hasOwn(prices, model) ? prices[model] : undefined
  if (price === undefined && outcome.status === 'ok' && outcome.simulated === true) return outcome
  return { ...outcome, usage: { ...usage, costUsd: price === undefined ? null : costOf(usage, price) } }
}

/** Cached tokens without a price of their own cost as much as others. */
function costOf(usage: AgentUsage, price: ModelPrice): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const sum =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite
  return sum / MILLION
}
