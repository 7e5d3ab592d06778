import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Wire } from './endpoint.ts'

/** How a wire says how hard to think. OpenAI knows no `max`. */
export function effortOptions(wire: Wire, effort: string): SharedV3ProviderOptions {
  if (wire === 'anthropic') return { anthropic: { effort } }
  return { openai: { reasoningEffort: effort === 'max' ? 'xhigh' : effort } }
}
