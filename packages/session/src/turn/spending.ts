import type { TurnUsage } from '@tutti/agents/chat'
import type { JsonObject } from '@tutti/protocol'
import type { RunEnd } from '@tutti/runtime'
import { addUsage } from './tally.ts'

/** What the whole session has spent. */
export interface Spending {
  addTurn(usage: Readonly<Record<string, TurnUsage>>): void
  /** An attempt has ended; its agents are paid for, too. */
  addWorkflow(end: RunEnd): void
  /** US dollars, as far as prices are known. */
  readonly costUsd: number
  /** Of the conversation, by model. */
  readonly byModel: JsonObject
}

export function createSpending(): Spending {
  const models: Record<string, TurnUsage> = {}
  let workflowsUsd = 0
  return {
    addTurn(usage) {
      for (const [model, spent] of Object.entries(usage)) addUsage(models, model, spent)
    },
    addWorkflow({ record }) {
      workflowsUsd += record.usage.costUsd ?? 0
    },
    get costUsd() {
      return Object.values(models).reduce((sum, { costUsd }) => sum + (costUsd ?? 0), workflowsUsd)
    },
    get byModel() {
      return Object.fromEntries(Object.entries(models).map(([model, usage]) => [model, modelUsage(usage)]))
    },
  }
}

/** Limits of models are not known here: 0. */
function modelUsage(usage: TurnUsage): JsonObject {
  return {
    inputTokens: usage.input,
    outputTokens: usage.output,
    cacheReadInputTokens: usage.cacheRead,
    cacheCreationInputTokens: usage.cacheWrite,
    webSearchRequests: 0,
    costUSD: usage.costUsd ?? 0,
    contextWindow: 0,
    maxOutputTokens: 0,
  }
}
