import { fileURLToPath } from 'node:url'
import type { MockReply } from '@tutti-internal/mock-model'
import { expect, test } from 'vitest'
import { chatWith, eventsOf, gone, resultTexts, type Scene, type SceneOptions } from './chat-at.ts'

const stdio = fileURLToPath(new URL('../mcp/servers/stdio.mjs', import.meta.url))
const use = (name: string, input: unknown = {}): MockReply => ({ toolCalls: [{ name, input }] })

function withServers(replies: MockReply[], config: SceneOptions['config'] = {}): Promise<Scene> {
  const command = process.execPath
  return chatWith({
    replies,
    config,
    workspace: {
      mcp: { servers: { good: { command, args: [stdio] }, bad: { command, args: [stdio, 'broken'] } } },
    },
  })
}

test('servers are pending until they are needed, then connected or failed', async () => {
  await using scene = await withServers([])
  expect(await scene.chat.mcpServers()).toEqual([
    { name: 'good', status: 'pending' },
    { name: 'bad', status: 'pending' },
  ])
  expect(await scene.chat.toolNames()).toContain('mcp__good__shout')
  expect(await scene.chat.mcpServers()).toMatchObject([
    { name: 'good', status: 'connected' },
    { name: 'bad', status: 'failed', error: expect.stringContaining('database') },
  ])
})

test('their tools need permission, by a person or a rule', async () => {
  const replies = [use('mcp__good__shout', { text: 'hello' }), { text: 'Fine.' }]
  await using denied = await withServers(replies)
  expect((await denied.say('Shout.')).end.denials).toHaveLength(1)
  await using allowed = await withServers(replies, { permissions: { allow: ['mcp__good__shout'] } })
  const { end, events } = await allowed.say('Shout.')
  expect(end.denials).toEqual([])
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: 'HELLO' } }])
})

test('they end with the chat, and what they started', async () => {
  const scene = await withServers([use('mcp__good__child'), { text: 'Fine.' }], {
    permissions: { allow: ['mcp__good'] },
  })
  const { events } = await scene.say('Start it.')
  const pids = (resultTexts(events)[0] ?? '').split(' ').map(Number)
  expect(pids).toHaveLength(2)
  for (const pid of pids) expect(process.kill(pid, 0)).toBe(true)
  await scene[Symbol.asyncDispose]()
  await Promise.all(pids.map(gone))
})

test('a server that has ended is started anew for the next use', async () => {
  const shout = use('mcp__good__shout', { text: 'again' })
  const replies = [
    use('mcp__good__child'),
    { text: 'Fine.' },
    { toolCalls: Array(2).fill(shout.toolCalls?.[0]) },
    { text: 'Fine.' },
  ]
  await using scene = await withServers(replies, { permissions: { allow: ['mcp__good'] } })
  const { events } = await scene.say('Start it.')
  const [server = 0, child = 0] = (resultTexts(events)[0] ?? '').split(' ').map(Number)
  process.kill(server, 'SIGKILL')
  await Promise.all([gone(server), gone(child)])
  expect(resultTexts((await scene.say('Shout.')).events)).toEqual(['AGAIN', 'AGAIN'])
})

test('a use that hangs ends with the turn', async () => {
  const stop = new AbortController()
  await using scene = await withServers([use('mcp__good__hang'), { text: 'Fine.' }])
  const { end, events } = await scene.say('Hang.', {
    signal: stop.signal,
    permission: async () => {
      setImmediate(() => stop.abort())
      return { allowed: true }
    },
  })
  expect(end.outcome).toBe('interrupted')
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { failed: true } }])
})
