import { expect, test } from 'vitest'
import { configuredEndpoint } from '../../src/model/endpoint.ts'
import { createModelBackend } from '../../src/model/index.ts'
import { play } from '../stage/stage.ts'

test('without a credential there is no endpoint, and the backend says what to set', async () => {
  expect(configuredEndpoint({ ANTHROPIC_API_KEY: ' ', OPENAI_BASE_URL: 'http://x' })).toBeUndefined()
  const { outcome } = await play(createModelBackend({ endpoint: undefined }))
  expect(outcome).toMatchObject({
    cause: 'backend_unavailable',
    message: expect.stringContaining('ANTHROPIC_API_KEY'),
  })
})

test('Anthropic comes first, with its version in the address and a default model', () => {
  expect(configuredEndpoint({ ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'o' })).toMatchObject({
    wire: 'anthropic',
    apiKey: 'k',
    baseUrl: 'https://api.anthropic.com/v1',
    model: 'claude-sonnet-5-5',
  })
  const at = (url: string) => configuredEndpoint({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url })?.baseUrl
  expect(at('https://gate.example/')).toBe('https://gate.example/v1')
  expect(at('https://gate.example/anthropic/v1/')).toBe('https://gate.example/anthropic/v1')
})

test('a token wins over a key', () => {
  const endpoint = configuredEndpoint({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't' })
  expect(endpoint).toMatchObject({ authToken: 't', credentialName: 'ANTHROPIC_AUTH_TOKEN' })
  expect(endpoint?.apiKey).toBeUndefined()
})

test('OpenAI has a default model at its own address only', async () => {
  expect(configuredEndpoint({ OPENAI_API_KEY: 'k' })).toMatchObject({ wire: 'openai', model: 'gpt-5.4' })
  const endpoint = configuredEndpoint({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/' })
  expect(endpoint).toMatchObject({ baseUrl: 'http://127.0.0.1:9/v1' })
  const { outcome } = await play(createModelBackend({ endpoint }))
  expect(outcome).toMatchObject({
    cause: 'model_not_found',
    message: expect.stringContaining('OPENAI_MODEL'),
  })
})
