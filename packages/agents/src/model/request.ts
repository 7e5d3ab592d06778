import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider'
import type { Wire } from './endpoint.ts'
import { withCacheMark } from './messages.ts'
import { providerOptions } from './provider-options.ts'
import { STRUCTURED_OUTPUT } from './structured-output.ts'

export interface RequestParts {
  wire: Wire
  messages: LanguageModelV3Prompt
  tools: LanguageModelV3FunctionTool[]
  signal: AbortSignal
  maxOutputTokens?: number | undefined
  effort?: string | undefined
  thinkingTokens?: number | undefined
  /** The model must call the tool for its result. */
  forced: boolean
}

/** What a model is asked. */
export function requestOf(parts: RequestParts): LanguageModelV3CallOptions {
  const { wire, messages, tools, signal, maxOutputTokens, effort, thinkingTokens, forced } = parts
  const options: LanguageModelV3CallOptions = { prompt: withCacheMark(messages), abortSignal: signal }
  if (maxOutputTokens !== undefined) options.maxOutputTokens = maxOutputTokens
  const own = providerOptions(wire, effort, thinkingTokens)
  if (own) options.providerOptions = own
  if (tools.length === 0) return options
  options.tools = tools
  options.toolChoice = forced ? { type: 'tool', toolName: STRUCTURED_OUTPUT } : { type: 'auto' }
  return options
}
