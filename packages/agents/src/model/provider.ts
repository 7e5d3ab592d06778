import type { LanguageModelV3 } from '@ai-sdk/provider'
import type { Endpoint } from './endpoint.ts'

/** Loads the package for the endpoint's wire and makes its model. */
export async function loadModel(
  endpoint: Endpoint,
  modelId: string,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModelV3> {
  const { baseUrl: baseURL, apiKey, authToken } = endpoint
  if (endpoint.wire === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, fetch, ...(authToken ? { authToken } : { apiKey }) }).languageModel(
      modelId,
    )
  }
  if (endpoint.wire === 'google') {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    return createGoogleGenerativeAI({ baseURL, apiKey, fetch }).languageModel(modelId)
  }
  if (endpoint.wire === 'responses') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL, apiKey, fetch }).responses(modelId)
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({ name: 'openai', baseURL, apiKey, fetch, includeUsage: true }).chatModel(
    modelId,
  )
}
