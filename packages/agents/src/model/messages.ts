import type { LanguageModelV3Message, LanguageModelV3Prompt, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { JsonObject } from '@tutti/protocol'
import type { AgentCall } from '@tutti/runtime'
import { parseJson } from '../json.ts'
import type { ToolAnswer } from './transcript.ts'
import type { Turn } from './turn.ts'

/** Endpoints that want to be told keep all up to here for a while. */
export const CACHED: SharedV3ProviderOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }

export function openingMessages(call: AgentCall, system: string): LanguageModelV3Prompt {
  return [
    { role: 'system', content: system, providerOptions: CACHED },
    { role: 'user', content: [{ type: 'text', text: call.prompt }] },
  ]
}

/** The messages with the end marked, so that the next turn finds all of this one in the cache. */
export function withCacheMark(messages: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const last = messages.at(-1)
  return last && messages.length > 2
    ? [...messages.slice(0, -1), { ...last, providerOptions: CACHED }]
    : messages
}

/** What the model said, for its next turn. Thoughts go back only where they are signed. */
export function assistantMessage({ parts }: Turn): LanguageModelV3Message {
  const content = parts
    .filter(part =>
      part.type === 'reasoning' ? part.providerOptions : part.type !== 'text' || part.text !== '',
    )
    .map(part => {
      if (part.type !== 'tool-call') return part
      const { toolCallId, toolName, input, providerMetadata } = part
      const call = { type: part.type, toolCallId, toolName, input: inputOf(input) }
      return providerMetadata ? { ...call, providerOptions: providerMetadata } : call
    })
  return { role: 'assistant', content }
}

/** Endpoints demand an object, whatever the model wrote. */
export function inputOf(input: string): JsonObject {
  const parsed = parseJson(input)
  if ('problem' in parsed) return input.trim() === '' ? {} : { unreadable: input }
  const { value } = parsed
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }
}

export function toolMessage(answers: ToolAnswer[]): LanguageModelV3Message {
  return {
    role: 'tool',
    content: answers.map(({ toolCallId, toolName, text, failed }) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: failed ? 'error-text' : 'text', value: text },
    })),
  }
}

export function userMessage(text: string): LanguageModelV3Message {
  return { role: 'user', content: [{ type: 'text', text }] }
}
