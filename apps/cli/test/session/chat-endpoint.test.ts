import type { Settings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { chatEndpoint } from '../../src/session/chat-endpoint.ts'
import { modelList } from '../../src/session/model-list.ts'

const env = { ANTHROPIC_API_KEY: 'key-of-the-environment' }
const OWN = {
  kind: 'model' as const,
  model: 'own-model',
  env: { OPENAI_API_KEY: 'own-key', OPENAI_BASE_URL: 'http://own/v1' },
}

describe('the endpoint of a session', () => {
  test('is that of the environment', () => {
    expect(chatEndpoint({ env, settings: {} })).toMatchObject({
      wire: 'anthropic',
      apiKey: 'key-of-the-environment',
    })
    expect(chatEndpoint({ env: {}, settings: {} })).toBeUndefined()
  })

  test('is that of the chosen backend where it is a model', () => {
    const settings: Settings = { tutti: { backend: 'mine', backends: { mine: OWN } } }
    expect(chatEndpoint({ env, settings })).toMatchObject({ baseUrl: 'http://own/v1', model: 'own-model' })
  })

  test('is not that of a backend of another kind', () => {
    const settings: Settings = { tutti: { backend: 'mine', backends: { mine: { kind: 'cli', model: 'x' } } } }
    expect(chatEndpoint({ env, settings })).toMatchObject({ wire: 'anthropic', model: 'claude-sonnet-5-5' })
  })

  test('may be set up as the backend "model"', () => {
    const settings: Settings = { tutti: { backend: 'simulate', backends: { model: OWN } } }
    expect(chatEndpoint({ env: {}, settings })).toMatchObject({ apiKey: 'own-key' })
  })
})

test('the models on offer are the default and the names that endpoint and settings know, without keys', () => {
  const settings: Settings = { tutti: { models: { fast: 'some-fast-model', opus: 'my-opus' } } }
  const models = modelList({ env, settings })
  expect(models.map(({ value, description }) => [value, description])).toEqual([
    ['default', 'claude-sonnet-5-5'],
    ['sonnet', 'claude-sonnet-5-5'],
    ['opus', 'my-opus'],
    ['haiku', 'claude-haiku-5-5'],
    ['fast', 'some-fast-model'],
  ])
  expect(JSON.stringify(models)).not.toContain('key-of-the-environment')
  expect(modelList({ env: {}, settings: {} })).toMatchObject([{ description: 'none is configured' }])
})
