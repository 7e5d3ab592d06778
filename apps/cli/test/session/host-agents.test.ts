import type { AgentTypeDefinition } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { withHostAgents } from '../../src/session/host-agents.ts'

const own: AgentTypeDefinition[] = [
  { name: 'reviewer', source: 'file', prompt: 'of the file' },
  { name: 'writer', source: 'file' },
]
const files = {
  find: (name: string) => Promise.resolve(own.find(type => type.name === name)),
  list: () => Promise.resolve(own),
}

test('agent types of the host stand over those of files, as they are at the time', async () => {
  const host = {}
  const types = withHostAgents(files, () => host)
  expect(await types.list()).toEqual(own)
  Object.assign(host, {
    reviewer: { description: 'Reviews', prompt: 'Review.', tools: ['Read', 7], model: 'inherit' },
    broken: 'no definition',
  })
  expect(await types.find('reviewer')).toEqual({
    name: 'reviewer',
    source: 'host',
    description: 'Reviews',
    prompt: 'Review.',
    tools: ['Read'],
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  })
  expect((await types.list()).map(({ name, source }) => `${source} ${name}`)).toEqual([
    'host reviewer',
    'file writer',
  ])
  expect(await types.find('broken')).toBeUndefined()
})

test('a definition that changes has another hash', async () => {
  const types = (prompt: string) => withHostAgents(files, () => ({ a: { prompt } }))
  const [one, two] = await Promise.all([types('one').find('a'), types('two').find('a')])
  expect(one?.hash).not.toBe(two?.hash)
})
