import { fileURLToPath } from 'node:url'
import type { MockReply } from '@tutti-internal/mock-model'
import { expect, test } from 'vitest'
import { chatWith, eventsOf, gone, resultTexts, type Scene } from './chat-at.ts'

const script = fileURLToPath(new URL('../mcp/servers/stdio.mjs', import.meta.url))
const good = { command: process.execPath, args: [script] }
const broken = { command: process.execPath, args: [script, 'broken'] }
const use = (name: string, input: unknown = {}): MockReply => ({ toolCalls: [{ name, input }] })

function scene(replies: MockReply[], servers = {}): Promise<Scene> {
  return chatWith({
    replies,
    config: { permissions: { allow: ['mcp__late', 'mcp__good'] } },
    workspace: { mcp: { servers } },
  })
}

test('a server that is set between two turns is offered from then on, and no longer when it is removed', async () => {
  await using chatting = await scene([
    { text: 'Hello.' },
    use('mcp__late__shout', { text: 'hi' }),
    { text: 'Fine.' },
  ])
  const { chat, say } = chatting
  await say('Hello?')
  expect(await chat.toolNames()).not.toContain('mcp__late__shout')
  expect(await chat.setServers({ late: good })).toEqual({ added: ['late'], removed: [], errors: {} })
  expect(await chat.mcpServers()).toMatchObject([
    { name: 'late', status: 'connected', tools: expect.arrayContaining([]) as unknown[] },
  ])
  expect(eventsOf((await say('Shout.')).events, 'tool_result')).toMatchObject([{ result: { content: 'HI' } }])
  expect(await chat.setServers({})).toEqual({ added: [], removed: ['late'], errors: {} })
  expect(await chat.mcpServers()).toEqual([])
  expect(await chat.toolNames()).not.toContain('mcp__late__shout')
})

test('one that fails says why and leaves the others alone; what stays the same is not started anew', async () => {
  await using chatting = await scene([use('mcp__late__child'), { text: 'Fine.' }])
  const { chat, say } = chatting
  await chat.setServers({ late: good })
  const [pids = ''] = resultTexts((await say('Start it.')).events)
  const changed = await chat.setServers({ late: { ...good }, bad: broken })
  expect(changed).toMatchObject({
    added: ['bad'],
    errors: { bad: expect.stringContaining('database') as string },
  })
  expect(await chat.mcpServers()).toMatchObject([
    { name: 'late', status: 'connected' },
    { name: 'bad', status: 'failed', error: expect.stringContaining('database') as string },
  ])
  for (const pid of pids.split(' ').map(Number)) expect(process.kill(pid, 0)).toBe(true)
  await chat.setServers({ bad: broken })
  await Promise.all(pids.split(' ').map(pid => gone(Number(pid))))
})

test('one of the workspace comes back when the one in its place is removed', async () => {
  await using chatting = await scene([], { good })
  const { chat } = chatting
  expect(await chat.toolNames()).toContain('mcp__good__shout')
  await chat.setServers({ good: broken })
  expect(await chat.mcpServers()).toMatchObject([{ name: 'good', status: 'failed' }])
  await chat.setServers({})
  expect(await chat.toolNames()).toContain('mcp__good__shout')
})

test('one is switched off and on, and connected anew', async () => {
  await using chatting = await scene([], { good, bad: broken })
  const { chat } = chatting
  await chat.toggleServer('good', false)
  expect(await chat.toolNames()).not.toContain('mcp__good__shout')
  expect((await chat.mcpServers())[0]).toEqual({ name: 'good', status: 'disabled' })
  await expect(chat.reconnectServer('good')).rejects.toThrow('switched off')
  await chat.toggleServer('good', true)
  expect(await chat.toolNames()).toContain('mcp__good__shout')
  await chat.reconnectServer('good')
  expect(await chat.toolNames()).toContain('mcp__good__shout')
  await expect(chat.reconnectServer('bad')).rejects.toThrow('database')
  await expect(chat.reconnectServer('none')).rejects.toThrow('no server')
})
