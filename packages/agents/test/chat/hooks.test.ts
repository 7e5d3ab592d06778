import { readFile } from 'node:fs/promises'
import type { MockReply } from '@tutti-internal/mock-model'
import { expect, test } from 'vitest'
import type { BeforeToolRuling, ChatTool, HookedUse, ToolUse } from '../../src/chat/types.ts'
import { chatWith, eventsOf } from './chat-at.ts'

const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })
const write = use('Write', { file_path: 'made.txt', content: 'made' })
const ruling = (given: BeforeToolRuling) => async (): Promise<BeforeToolRuling> => given

test('a hook hears of every use before it', async () => {
  await using scene = await chatWith({
    files: { a: '1' },
    replies: [use('Read', { file_path: 'a' }), { text: 'Done.' }],
  })
  const heard: HookedUse[] = []
  await scene.say('Look.', {
    beforeTool: async given => {
      heard.push(given)
      return {}
    },
  })
  expect(heard).toMatchObject([{ toolName: 'Read', input: { file_path: 'a' } }])
})

test('a hook allows what nobody else would', async () => {
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'dontAsk' } },
    replies: [write, { text: 'Done.' }],
  })
  const { end } = await scene.say('Make it.', { beforeTool: ruling({ decision: 'allow' }) })
  expect(end.denials).toEqual([])
  expect(await readFile(scene.project.path('made.txt'), 'utf8')).toBe('made')
})

test('a tool that decides itself is told that a hook has allowed it or wants it asked for', async () => {
  const uses: ToolUse[] = []
  const lamp: ChatTool = {
    name: 'Lamp',
    description: 'Switches the lamp',
    inputSchema: { type: 'object' },
    readOnly: false,
    decidesItself: true,
    async run(_, given) {
      uses.push(given)
      return { content: 'on' }
    },
  }
  await using scene = await chatWith({
    config: { extraTools: [lamp] },
    replies: [1, 2, 3].flatMap(() => [use('Lamp', {}), { text: 'Done.' }]),
  })
  await scene.say('Light!', { beforeTool: ruling({ decision: 'allow' }) })
  await scene.say('Light!', { beforeTool: ruling({}) })
  const permission = async (): Promise<never> => expect.fail('the tool asks by itself')
  await scene.say('Light!', { beforeTool: ruling({ decision: 'ask' }), permission })
  expect(uses.map(({ allowed, mustAsk }) => ({ allowed, mustAsk }))).toEqual([
    { allowed: true },
    {},
    { mustAsk: true },
  ])
})

test('a hook does not allow what a rule denies or asks for', async () => {
  await using scene = await chatWith({
    config: { permissions: { deny: ['Edit(made.txt)'], ask: ['Bash'] } },
    replies: [write, use('Bash', { command: 'true' }), { text: 'I could not.' }],
  })
  const { end } = await scene.say('Try.', { beforeTool: ruling({ decision: 'allow' }) })
  expect(end.denials.map(({ tool_name }) => tool_name)).toEqual(['Write', 'Bash'])
})

test('a hook denies what would be allowed, and says why', async () => {
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'bypassPermissions' } },
    replies: [write, { text: 'I could not.' }],
  })
  const { end } = await scene.say('Make it.', {
    beforeTool: ruling({ decision: 'deny', reason: 'frozen today' }),
  })
  expect(end.denials).toHaveLength(1)
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('frozen today')
})

test('a hook has a person asked', async () => {
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'acceptEdits' } },
    replies: [write, { text: 'Done.' }],
  })
  const reasons: string[] = []
  await scene.say('Make it.', {
    beforeTool: ruling({ decision: 'ask', reason: 'it is new' }),
    permission: async ({ reason }) => {
      reasons.push(reason)
      return { allowed: true }
    },
  })
  expect(reasons).toEqual(['it is new'])
})

test('a hook that fails is a denial', async () => {
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'bypassPermissions' } },
    replies: [write, { text: 'I could not.' }],
  })
  const { end } = await scene.say('Make it.', { beforeTool: () => Promise.reject(new Error('hook broke')) })
  expect(end.denials).toHaveLength(1)
})

test('a hook changes the input, and rules look at the changed one', async () => {
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'acceptEdits', deny: ['Edit(no.txt)'] } },
    replies: [write, write, { text: 'Done.' }],
  })
  const names = ['yes.txt', 'no.txt']
  const { end } = await scene.say('Make them.', {
    beforeTool: async () => ({ updatedInput: { file_path: names.shift() ?? '', content: 'changed' } }),
  })
  expect(await readFile(scene.project.path('yes.txt'), 'utf8')).toBe('changed')
  expect(end.denials).toMatchObject([{ tool_input: { file_path: 'no.txt' } }])
})

test('a hook ends the turn', async () => {
  await using scene = await chatWith({ replies: [write, { text: 'Fine.' }] })
  const { end, events } = await scene.say('Make it.', {
    beforeTool: ruling({ stop: true, reason: 'enough' }),
  })
  expect(end).toMatchObject({ outcome: 'interrupted', errors: ['enough'] })
  expect(eventsOf(events, 'tool_result')).toMatchObject([
    { result: { failed: true, content: 'Not done: enough' } },
  ])
  expect((await scene.say('And now?')).end.outcome).toBe('success')
})

test('what hooks add is told to the model', async () => {
  await using scene = await chatWith({
    files: { a: 'inside' },
    replies: [use('Read', { file_path: 'a' }), { text: 'Done.' }],
  })
  const { events } = await scene.say('Look.', {
    beforeTool: ruling({ additionalContext: 'before it' }),
    afterTool: async ({ result }) => ({
      additionalContext: `after ${result.content.length} characters`,
    }),
  })
  const [told] = eventsOf(events, 'tool_result')
  expect(told?.result.content).toBe('     1→inside\n\nbefore it\n\nafter 13 characters')
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('after 13 characters')
})

test('a hook after the use that fails changes nothing', async () => {
  await using scene = await chatWith({
    files: { a: 'inside' },
    replies: [use('Read', { file_path: 'a' }), { text: 'Done.' }],
  })
  const { end, events } = await scene.say('Look.', { afterTool: () => Promise.reject(new Error('broke')) })
  expect(end.outcome).toBe('success')
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: '     1→inside' } }])
})
