import type { JSONObject, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Wire } from './endpoint.ts'

/** Anthropic takes no smaller budget. */
const LEAST_BUDGET = 1024

/**
 * What a wire is told beside the conversation: how hard to think, and to keep nothing. A number of tokens to
 * think with, 0 for none, means nothing to OpenAI's wires.
 */
export function providerOptions(
  wire: Wire,
  effort: string | undefined,
  thinkingTokens?: number,
): SharedV3ProviderOptions | undefined {
  if (wire === 'responses') return { openai: { store: false, ...openaiEffort(effort) } }
  if (wire === 'openai') return effort === undefined ? undefined : { openai: openaiEffort(effort) }
  const own = wire === 'anthropic' ? anthropicOptions : googleOptions
  return effort === undefined && thinkingTokens === undefined
    ? undefined
    : { [wire]: own(effort, thinkingTokens) }
}

function anthropicOptions(effort: string | undefined, tokens: number | undefined): JSONObject {
  const thinking: JSONObject | undefined =
    tokens === undefined
      ? undefined
      : tokens > 0
        ? { type: 'enabled', budgetTokens: Math.max(LEAST_BUDGET, Math.floor(tokens)) }
        : { type: 'disabled' }
  return { ...(effort !== undefined && { effort }), ...(thinking && { thinking }) }
}

/** It takes a level or a budget. */
function googleOptions(effort: string | undefined, tokens: number | undefined): JSONObject {
  if (tokens !== undefined) {
    const thinkingBudget = Math.max(0, Math.floor(tokens))
    return { thinkingConfig: { thinkingBudget, includeThoughts: thinkingBudget > 0 } }
  }
  return { thinkingConfig: { thinkingLevel: /^(low|medium)$/.test(effort ?? '') ? (effort ?? '') : 'high' } }
}

/** It knows no `max`. */
function openaiEffort(effort: string | undefined): { reasoningEffort?: string } {
  return effort === undefined ? {} : { reasoningEffort: effort === 'max' ? 'xhigh' : effort }
}
