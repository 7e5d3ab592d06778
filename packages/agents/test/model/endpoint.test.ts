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
  expect(configuredEndpoint({ OPENAI_API_KEY: 'k' })).toMatchObject({ wire: 'responses', model: 'gpt-5.4' })
  const endpoint = configuredEndpoint({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1/' })
  expect(endpoint).toMatchObject({ baseUrl: 'http://127.0.0.1:9/v1' })
  const { outcome } = await play(createModelBackend({ endpoint }))
  expect(outcome).toMatchObject({
    cause: 'model_not_found',
    message: expect.stringContaining('OPENAI_MODEL'),
  })
})

test('a key of Google is used when there is no other', () => {
  const endpoint = configuredEndpoint({ GOOGLE_API_KEY: ' g ', GOOGLE_GEMINI_BASE_URL: 'http://x/' })
  expect(endpoint).toMatchObject({
    wire: 'google',
    apiKey: 'g',
    baseUrl: 'http://x/v1beta',
    credentialName: 'GOOGLE_API_KEY',
  })
  expect(configuredEndpoint({ GEMINI_API_KEY: 'g' })?.baseUrl).toBe(
    'https://generativelanguage.googleapis.com/v1beta',
  )
  expect(configuredEndpoint({ GEMINI_API_KEY: 'g', OPENAI_API_KEY: 'o' })?.wire).toBe('responses')
})

test('a credential of its own decides, whatever else is there', () => {
  const env = { ANTHROPIC_API_KEY: 'a', OPENAI_BASE_URL: 'http://gate/v1' }
  expect(configuredEndpoint(env, { OPENAI_API_KEY: 'o' })).toMatchObject({
    wire: 'openai',
    baseUrl: 'http://gate/v1',
  })
  expect(configuredEndpoint(env, { ANTHROPIC_MODEL: 'm' })).toMatchObject({ wire: 'anthropic', model: 'm' })
})

test('the newer wire of OpenAI is spoken at its own address, and where it is asked for', () => {
  const at = (more: Record<string, string>) => configuredEndpoint({ OPENAI_API_KEY: 'k', ...more })?.wire
  expect(at({})).toBe('responses')
  expect(at({ OPENAI_WIRE_API: 'chat' })).toBe('openai')
  expect(at({ OPENAI_BASE_URL: 'http://x/v1' })).toBe('openai')
  expect(at({ OPENAI_BASE_URL: 'http://x/v1', OPENAI_WIRE_API: 'responses' })).toBe('responses')
})
