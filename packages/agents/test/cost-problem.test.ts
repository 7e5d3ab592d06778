import type { Settings } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { costProblem, type CostQuestion } from '../src/cost-problem.ts'

const PRICED: Settings = { tutti: { prices: { 'my-model': { input: 1, output: 2 } } } }
const KEY = { ANTHROPIC_API_KEY: 'k' }

const problem = (name: string, question: Partial<CostQuestion> = {}): Promise<string | undefined> =>
  costProblem(name, { env: {}, ...question })

describe('on the model backend', () => {
  test('the models of the price table can be counted', async () => {
    expect(await problem('model', { env: KEY })).toBeUndefined()
    expect(await problem('model', { env: KEY, model: 'opus' })).toBeUndefined()
    expect(await problem('model', { env: { OPENAI_API_KEY: 'k' } })).toBeUndefined()
  })

  test('a model without a price cannot, unless the settings have one', async () => {
    expect(await problem('model', { env: KEY, model: 'my-model' })).toContain('"my-model" is not known')
    expect(await problem('model', { env: KEY, model: 'my-model', settings: PRICED })).toBeUndefined()
  })

  test('names of models mean what the settings say', async () => {
    const settings = { tutti: { models: { small: 'my-model' } } }
    expect(await problem('model', { env: KEY, model: 'small', settings })).toContain('"my-model"')
  })

  test('a backend of the settings is looked at with its own model and variables', async () => {
    const own = {
      kind: 'model' as const,
      model: 'my-model',
      env: { OPENAI_BASE_URL: 'http://localhost/v1', OPENAI_API_KEY: 'k' },
    }
    const settings = { tutti: { backends: { local: own } } }
    expect(await problem('local', { settings })).toContain('"my-model"')
    expect(await problem('local', { settings, model: 'gpt-5.4' })).toBeUndefined()
  })
})

test.each(['simulate', 'shell'])('%s costs nothing', async name => {
  expect(await problem(name)).toBeUndefined()
})

test.each(['cli:claude', 'cli:opencode'])('%s tells its cost itself', async name => {
  expect(await problem(name)).toBeUndefined()
})

test.each(['cli:codex', 'cli:gemini', 'acp:gemini', 'scripted:table.json', 'unheard-of'])(
  '%s cannot be counted without prices',
  async name => {
    expect(await problem(name)).toContain(name)
    expect(await problem(name, { settings: PRICED })).toBeUndefined()
  },
)
