import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Wire } from './endpoint.ts'

/** How a wire says how hard to think. OpenAI knows no `max`, Google nothing above `high`. */
export function effortOptions(wire: Wire, effort: string): SharedV3ProviderOptions {
  if (wire === 'anthropic') return { anthropic: { effort } }
  if (wire === 'google')
    return { google: { thinkingConfig: { thinkingLevel: /^(low|medium)$/.test(effort) ? effort : 'high' } } }
  return { openai: { reasoningEffort: effort === 'max' ? 'xhigh' : effort } }
}
