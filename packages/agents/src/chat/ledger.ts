import { addTurn, costOfTurn, type Meter } from '../model/cost.ts'
import type { Turn } from '../model/turn.ts'
import type { TurnUsage } from './types.ts'

/** What the answers of a chat cost. */
export interface Ledger {
  /** US dollars, as far as prices are known. */
  readonly spentUsd: number
  /** Adds an answer to the sums by model id. One that broke off says nothing about what it took. */
  add(turn: Turn, modelId: string, usage: Map<string, TurnUsage>): void
}

export function createLedger(meter: Meter): Ledger {
  let spentUsd = 0
  return {
    get spentUsd() {
      return spentUsd
    },
    add(turn, modelId, usage) {
      if (!turn.finish) return
      const name = turn.model ?? modelId
      const total = usage.get(name) ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0 }
      addTurn(total, turn, { meter, modelId })
      usage.set(name, total)
      spentUsd += costOfTurn(turn, { meter, modelId }) ?? 0
    },
  }
}
