import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Wire } from './endpoint.ts'

/** What a wire is told beside the conversation: how hard to think, and to keep nothing. */
export function providerOptions(wire: Wire, effort: string | undefined): SharedV3ProviderOptions | undefined {
  if (wire === 'responses') return { openai: { store: false, ...openaiEffort(effort) } }
  if (effort === undefined) return undefined
  if (wire === 'anthropic') return { anthropic: { effort } }
  if (wire === 'openai') return { openai: openaiEffort(effort) }
  return { google: { thinkingConfig: { thinkingLevel: /^(low|medium)$/.test(effort) ? effort : 'high' } } }
}

/** It knows no `max`. */
function openaiEffort(effort: string | undefined): { reasoningEffort?: string } {
  return effort === undefined ? {} : { reasoningEffort: effort === 'max' ? 'xhigh' : effort }
}
