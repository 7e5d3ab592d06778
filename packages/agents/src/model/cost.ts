import type { ModelPrice, TokenUsage } from '@tutti/protocol'
import { PRICES_BY_HOST } from './price-table.ts'
import type { Turn } from './turn.ts'

/** What requests to an endpoint cost, in US dollars; null when the price is not known. */
export type Meter = (usage: TokenUsage, models: string[]) => number | null

/** Models of these are nobody else's, so their prices hold at gateways too. */
const OWN_MODELS = ['api.anthropic.com', 'api.openai.com', 'generativelanguage.googleapis.com']
const DATE = /[-@](\d{8}|\d{4}-\d{2}-\d{2})$/
const MILLION = 1_000_000

/** `prices` win over the table. */
export function createMeter(baseUrl: string, prices: Record<string, ModelPrice> = {}): Meter {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ''
  const tables = [host, ...OWN_MODELS].map(name => PRICES_BY_HOST[name]).filter(table => table !== undefined)

  function priceOf(model: string, usage: TokenUsage): ModelPrice | undefined {
    if (Object.hasOwn(prices, model)) return prices[model]
    const row = tables.find(table => Object.hasOwn(table, model))?.[model]
    return row && fromRow(row, usage.input + usage.cacheRead + usage.cacheWrite)
  }

  return (usage, models) => {
    if (usage.input + usage.output + usage.cacheRead + usage.cacheWrite === 0) return null
    for (const model of models) {
      const price = priceOf(model, usage) ?? priceOf(model.replace(DATE, ''), usage)
      if (price) return costOf(usage, price)
    }
    return null
  }
}

/** The price is that of the model which says it answered, else that of the one asked. */
export function costOfTurn(turn: Turn, { meter, modelId }: { meter: Meter; modelId: string }): number | null {
  return meter(turn.usage, turn.model === undefined ? [modelId] : [turn.model, modelId])
}

/** Adds what one answer took; the cost is null once it is not known. */
export function addTurn(
  total: TokenUsage & { costUsd?: number | null },
  turn: Turn,
  { meter, modelId }: { meter: Meter; modelId: string },
): void {
  const { input, output, cacheRead, cacheWrite, reasoning } = turn.usage
  total.input += input
  total.output += output
  total.cacheRead += cacheRead
  total.cacheWrite += cacheWrite
  if (reasoning !== undefined) total.reasoning = (total.reasoning ?? 0) + reasoning
  if (!turn.finish) return
  const cost = costOfTurn(turn, { meter, modelId })
  total.costUsd = cost === null || total.costUsd === null ? null : (total.costUsd ?? 0) + cost
}

function fromRow(row: readonly number[], inputTokens: number): ModelPrice {
  const [, , , , above = Infinity] = row
  const [input = 0, output = 0, cacheRead = input, cacheWrite = input] = row.slice(
    inputTokens > above ? 5 : 0,
  )
  return { input, output, cacheRead, cacheWrite }
}

/** Cached tokens without a price of their own cost as much as others. */
function costOf(usage: TokenUsage, price: ModelPrice): number {
  const { input, output, cacheRead = input, cacheWrite = input } = price
  const sum =
    usage.input * input + usage.output * output + usage.cacheRead * cacheRead + usage.cacheWrite * cacheWrite
  return sum / MILLION
}
