import { startMockModel } from '@tutti-internal/mock-model'
import type { AgentCall } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { configuredEndpoint } from '../../src/model/endpoint.ts'
import { createModelBackend } from '../../src/model/index.ts'
import { play } from '../stage/stage.ts'

const typed = (model: string): AgentCall['agentType'] => ({ name: 't', model, source: 't.md' })

test.each<[string, Partial<AgentCall>, string]>([
  ['the model of the call', { model: 'm-1', agentType: typed('m-2') }, 'm-1'],
  ['the model of the agent type', { agentType: typed('m-2') }, 'm-2'],
  ['an agent type that inherits', { agentType: typed('inherit') }, 'default-model'],
  ['nothing', {}, 'default-model'],
  ['an alias of the settings', { model: 'opus' }, 'my-opus'],
  ['an alias of the endpoint', { model: 'haiku' }, 'env-haiku'],
  ['a name that every object has', { model: 'constructor' }, 'constructor'],
])('%s decides', async (_, given, expected) => {
  await using server = await startMockModel({ replies: () => ({ text: 'x' }) })
  const endpoint = configuredEndpoint({
    ANTHROPIC_AUTH_TOKEN: 'token-of-the-test',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_MODEL: 'default-model',
    ANTHROPIC_DEFAULT_HAIKU_MODEL: 'env-haiku',
  })
  await play(createModelBackend({ endpoint, models: { opus: 'my-opus' } }), given)
  expect(server.requests[0]?.body.model).toBe(expected)
  expect(server.requests[0]?.headers.authorization).toBe('Bearer token-of-the-test')
})
