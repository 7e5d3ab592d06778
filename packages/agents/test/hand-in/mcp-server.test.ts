import { expect, test } from 'vitest'
import { answerMcp, type McpTool } from '../../src/hand-in/mcp-server.ts'

const tool: McpTool = {
  name: 'Only',
  description: 'The only one',
  inputSchema: { type: 'object' },
  call: input => ({ text: JSON.stringify(input), failed: false }),
}
const ask = (method: string, params?: object): unknown =>
  answerMcp({ jsonrpc: '2.0', id: 1, method, params }, tool)

test('takes the revision that it is offered, when it knows it', () => {
  expect(ask('initialize', { protocolVersion: '2024-11-05' })).toMatchObject({
    id: 1,
    result: { protocolVersion: '2024-11-05', capabilities: { tools: {} } },
  })
  expect(ask('initialize', { protocolVersion: '1999-01-01' })).toMatchObject({
    result: { protocolVersion: '2025-06-18' },
  })
})

test('lists and calls its tool', () => {
  expect(ask('tools/list')).toMatchObject({
    result: { tools: [{ name: 'Only', inputSchema: { type: 'object' } }] },
  })
  expect(ask('tools/call', { name: 'Only', arguments: { a: 1 } })).toMatchObject({
    result: { content: [{ type: 'text', text: '{"a":1}' }], isError: false },
  })
  expect(ask('tools/call', { name: 'Only' })).toMatchObject({ result: { content: [{ text: '{}' }] } })
})

test.each([
  [
    'a tool that is not there',
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'Other' } },
    -32602,
  ],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, -32601],
  ['what is no message', 'hello', -32600],
  ['nothing', undefined, -32600],
])('refuses %s', (_, message, code) => {
  expect(answerMcp(message, tool)).toMatchObject({ error: { code } })
})

test('says nothing to notifications and answers', () => {
  expect(answerMcp({ jsonrpc: '2.0', method: 'notifications/initialized' }, tool)).toBeUndefined()
  expect(answerMcp({ jsonrpc: '2.0', id: 4, result: {} }, tool)).toBeUndefined()
})
