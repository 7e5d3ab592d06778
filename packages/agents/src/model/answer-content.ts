import type { LanguageModelV3ReasoningPart } from '@ai-sdk/provider'
import type { ContentBlock, JsonObject, TokenUsage } from '@tutti/protocol'
import { inputOf } from './messages.ts'
import type { Turn } from './turn.ts'

/** An answer as blocks of the Messages API. What is empty is left out. */
export function answerContent({ parts }: Pick<Turn, 'parts'>): ContentBlock[] {
  return parts.flatMap((part): ContentBlock[] => {
    if (part.type === 'tool-call') {
      const { toolCallId: id, toolName: name, input } = part
      return [{ type: 'tool_use', id, name, input: inputOf(input) }]
    }
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    const thought = thoughtBlock(part)
    return thought ? [thought] : []
  })
}

/** A thought with its signature, or what stands for a hidden one; undefined where nothing is shown. */
function thoughtBlock(part: LanguageModelV3ReasoningPart): ContentBlock | undefined {
  const { signature, redactedData } = sealOf(part)
  if (redactedData !== undefined) return { type: 'redacted_thinking', data: redactedData }
  if (part.text === '' && signature === undefined) return undefined
  return { type: 'thinking', thinking: part.text, signature: signature ?? '' }
}

/** What Anthropic wants to see again with a thought. */
export function sealOf({ providerOptions }: LanguageModelV3ReasoningPart): {
  signature?: string
  redactedData?: string
} {
  const { signature, redactedData } = providerOptions?.anthropic ?? {}
  return {
    ...(typeof signature === 'string' && { signature }),
    ...(typeof redactedData === 'string' && { redactedData }),
  }
}

/** Tokens under the names of the Messages API. */
export function answerUsage({ input, output, cacheRead, cacheWrite }: TokenUsage): JsonObject {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  }
}
