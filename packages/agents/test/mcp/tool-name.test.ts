import { expect, test } from 'vitest'
import { mcpToolName, nameMcpTools } from '../../src/mcp/tool-name.ts'

test('a name has only what endpoints take', () => {
  expect(mcpToolName({ server: 's', name: 'a b!' })).toBe('mcp__s__a_b_')
  expect(mcpToolName({ server: 's', name: 'x'.repeat(200) })).toMatch(/^mcp__s__x+_[0-9a-f]{8}$/)
})

test('no two tools have one name, and each can be told apart', () => {
  const tools = ['t', 'a b', 'a_b', 't', 'a.b'].map(name => ({ server: 's', name }))
  const named = nameMcpTools(tools)
  expect([...named.values()].map(({ name }) => name)).toEqual(['t', 'a b', 'a_b', 'a.b'])
  const [first, second, third, fourth] = named.keys()
  expect([first, second]).toEqual(['mcp__s__t', 'mcp__s__a_b'])
  for (const name of [third, fourth]) expect(name).toMatch(/^mcp__s__a_b_[0-9a-f]{8}$/)
})
