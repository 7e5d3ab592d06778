import type { ShownAgent } from './shown-agent.ts'
import { count, formatDollars } from './numbers.ts'

/** What agents cost in this attempt, as far as it is known. */
export interface Cost {
  /** US dollars. */
  usd: number
  /** Agents that cost something nobody can tell. */
  unknown: number
  /** Agents that cost something known, nothing included. */
  known: number
}

type Costly = Pick<ShownAgent, 'state' | 'costUsd'>

/** Agents that took their result from an earlier attempt cost nothing now. */
export function costOf(rows: Iterable<Costly>): Cost {
  const cost: Cost = { usd: 0, unknown: 0, known: 0 }
  for (const { state, costUsd } of rows) {
    if (state === 'cached' || costUsd === undefined) continue
    if (costUsd === null) cost.unknown++
    else {
      cost.known++
      cost.usd += costUsd
    }
  }
  return cost
}

/** `$0.12`, `cost unknown`, `$0.12 + unknown`; undefined when nothing is said about money. */
export function shortCost({ usd, unknown, known }: Cost): string | undefined {
  if (unknown === 0) return known === 0 || usd === 0 ? undefined : formatDollars(usd)
  return usd === 0 ? 'cost unknown' : `${formatDollars(usd)} + unknown`
}

/** The same of one agent. */
export function agentCost(row: Costly): string | undefined {
  return shortCost(costOf([row]))
}

/** A sum in words: how many agents are not in it. */
export function wholeCost({ usd, unknown, known }: Cost): string | undefined {
  if (unknown === 0) return known === 0 ? undefined : formatDollars(usd)
  const others = `unknown for ${count(unknown, 'agent')}`
  return known === 0 ? others : `${formatDollars(usd)}, ${others}`
}
