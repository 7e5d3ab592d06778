import { readFile } from 'node:fs/promises'
import type { MockReply } from '@tutti-internal/mock-model'
import type { JsonObject } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import type {
  ChatEvent,
  ChatPermissionAnswer,
  ChatPermissionQuestion,
  ChatTool,
} from '../../src/chat/types.ts'
import { chatWith, eventsOf, type SceneOptions } from './chat-at.ts'

const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })
const write = use('Write', { file_path: 'made.txt', content: 'made' })

/** Answers every question the same way, and keeps it. */
function asker(answer: ChatPermissionAnswer): {
  questions: ChatPermissionQuestion[]
  permission(question: ChatPermissionQuestion): Promise<ChatPermissionAnswer>
} {
  const questions: ChatPermissionQuestion[] = []
  return {
    questions,
    permission: async question => {
      questions.push(question)
      return answer
    },
  }
}

describe('what the mode says of an edit, a command and a look', () => {
  test.each([
    ['default', 'asked', 'asked'],
    [undefined, 'asked', 'asked'],
    ['acceptEdits', 'done', 'asked'],
    ['auto', 'done', 'asked'],
    ['plan', 'denied', 'denied'],
    ['dontAsk', 'denied', 'denied'],
    ['bypassPermissions', 'done', 'done'],
  ])('%s', async (defaultMode, edit, command) => {
    await using scene = await chatWith({
      files: { a: 'text' },
      config: { permissions: { ...(defaultMode !== undefined && { defaultMode }) } },
      replies: [write, use('Bash', { command: 'true' }), use('Read', { file_path: 'a' }), { text: 'Done.' }],
    })
    const { questions, permission } = asker({ allowed: false, reason: 'not now' })
    const { end, events } = await scene.say('Try.', { permission })
    const happened = eventsOf(events, 'tool_result').map(({ toolName, result }) => {
      if (questions.some(question => question.toolName === toolName)) return 'asked'
      return result.failed ? 'denied' : 'done'
    })
    expect(happened).toEqual([edit, command, 'done'])
    expect(end.denials.length).toBe([edit, command].filter(what => what !== 'done').length)
  })
})

test('a person allows it, and is told what and why', async () => {
  await using scene = await chatWith({ replies: [write, { text: 'Done.' }] })
  const { questions, permission } = asker({ allowed: true })
  const { end } = await scene.say('Make it.', { permission })
  expect(questions).toMatchObject([
    {
      toolName: 'Write',
      input: { file_path: 'made.txt', content: 'made' },
      reason: expect.stringContaining('no rule'),
    },
  ])
  expect(await readFile(scene.project.path('made.txt'), 'utf8')).toBe('made')
  expect(end.denials).toEqual([])
})

test('what was denied is told to the model with the reason, and listed', async () => {
  await using scene = await chatWith({ replies: [write, { text: 'I could not.' }] })
  const { permission } = asker({ allowed: false, reason: 'wrong place' })
  const { end } = await scene.say('Make it.', { permission })
  expect(end).toMatchObject({
    outcome: 'success',
    denials: [{ tool_name: 'Write', tool_input: { file_path: 'made.txt', content: 'made' } }],
  })
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain(
    'Permission for Write was denied: wrong place',
  )
  await expect(readFile(scene.project.path('made.txt'))).rejects.toThrow('ENOENT')
})

test('where nobody is there to ask, it is denied', async () => {
  await using scene = await chatWith({ replies: [write, { text: 'I could not.' }] })
  const { end } = await scene.say('Make it.')
  expect(end.denials).toHaveLength(1)
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('nobody is there to ask')
})

test('whether somebody is there is looked at anew for each question', async () => {
  await using scene = await chatWith({ replies: [write, write, { text: 'Half of it.' }] })
  let there = true
  const events: ChatEvent[] = []
  const end = await scene.chat.turn(
    { role: 'user', content: 'Make it twice.' },
    {
      signal: new AbortController().signal,
      emit: event => void events.push(event),
      get permission() {
        if (!there) return undefined
        there = false
        return async () => ({ allowed: true as const })
      },
    },
  )
  expect(end.denials).toHaveLength(1)
  expect(eventsOf(events, 'tool_result').map(({ result }) => result.failed)).toEqual([undefined, true])
})

test('a question that fails is a denial', async () => {
  await using scene = await chatWith({ replies: [write, { text: 'I could not.' }] })
  const { end } = await scene.say('Make it.', { permission: () => Promise.reject(new Error('host is gone')) })
  expect(end.denials).toHaveLength(1)
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('host is gone')
})

test('what a person changed is what is done', async () => {
  await using scene = await chatWith({ replies: [write, { text: 'Done.' }] })
  const updatedInput = { file_path: 'other.txt', content: 'other' }
  await scene.say('Make it.', asker({ allowed: true, updatedInput }))
  expect(await readFile(scene.project.path('other.txt'), 'utf8')).toBe('other')
  await expect(readFile(scene.project.path('made.txt'))).rejects.toThrow('ENOENT')
})

test('what a person changed is still held by rules that deny', async () => {
  await using scene = await chatWith({
    config: { permissions: { deny: ['Edit(secret/**)'] } },
    replies: [write, { text: 'I could not.' }],
  })
  const updatedInput = { file_path: 'secret/x', content: 'other' }
  const { end } = await scene.say('Make it.', asker({ allowed: true, updatedInput }))
  expect(end.denials).toMatchObject([{ tool_input: updatedInput }])
  await expect(readFile(scene.project.path('secret/x'))).rejects.toThrow('ENOENT')
})

test('an interrupting denial ends the turn, and the conversation can go on', async () => {
  await using scene = await chatWith({
    replies: [
      {
        toolCalls: [
          { name: 'Write', input: { file_path: 'a', content: 'a' } },
          { name: 'Write', input: { file_path: 'b', content: 'b' } },
        ],
      },
      { text: 'Fine.' },
    ],
  })
  const { questions, permission } = asker({ allowed: false, reason: 'stop it', interrupt: true })
  const { end, events } = await scene.say('Make both.', { permission })
  expect(end).toMatchObject({
    outcome: 'interrupted',
    errors: ['stop it'],
    denials: [{ tool_name: 'Write' }],
  })
  expect(questions).toHaveLength(1)
  expect(eventsOf(events, 'tool_result')).toHaveLength(2)
  expect(await scene.say('Go on.')).toMatchObject({ end: { outcome: 'success', text: 'Fine.' } })
})

test('rules of the answer hold from then on', async () => {
  const rules = [{ toolName: 'Bash', ruleContent: 'touch:*' }]
  const update = { type: 'addRules', rules, behavior: 'allow', destination: 'session' }
  await using scene = await chatWith({
    replies: [use('Bash', { command: 'touch a' }), use('Bash', { command: 'touch b' }), { text: 'Done.' }],
  })
  const { questions, permission } = asker({ allowed: true, updatedPermissions: [update] })
  const { end } = await scene.say('Touch both.', { permission })
  expect(questions).toHaveLength(1)
  expect(end.denials).toEqual([])
  expect(scene.chat.config.permissions).toEqual({ allow: ['Bash(touch:*)'] })
})

test('an answer can change the mode', async () => {
  const update = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
  const again = use('Write', { file_path: 'again.txt', content: 'made' })
  await using scene = await chatWith({ replies: [write, again, { text: 'Done.' }] })
  const { questions, permission } = asker({ allowed: true, updatedPermissions: [update] })
  await scene.say('Make both.', { permission })
  expect(questions).toHaveLength(1)
  expect(scene.chat.config.permissions.defaultMode).toBe('acceptEdits')
})

test('an answer with rules that cannot be read is a denial', async () => {
  const rules: JsonObject[] = [{ toolName: 'Bash', ruleContent: 'x' }, { toolName: '(' }]
  const update = { type: 'addRules', rules, behavior: 'deny' }
  await using scene = await chatWith({ replies: [write, { text: 'I could not.' }] })
  const { end } = await scene.say('Make it.', asker({ allowed: true, updatedPermissions: [update] }))
  expect(end.denials).toHaveLength(1)
  expect(scene.chat.config.permissions).toEqual({})
})

test('rules that cannot be read are refused, and what held before holds', async () => {
  await using scene = await chatWith({ replies: [] })
  expect(() => scene.chat.configure({ permissions: { deny: ['Bash(rm'] } })).toThrow('Bash(rm')
  expect(() => scene.chat.configure({ permissions: { defaultMode: 'yolo' } })).toThrow('yolo')
  expect(scene.chat.config.permissions).toEqual({})
  await expect(chatWith({ replies: [], config: { permissions: { allow: ['('] } } })).rejects.toThrow(
    'permission rule',
  )
})

interface Case {
  asked: number
  more?: Partial<ChatTool>
  config?: SceneOptions['config']
}

describe('tools of somebody else', () => {
  const tool = (more: Partial<ChatTool> = {}): ChatTool => ({
    name: 'mcp__host__lamp',
    description: 'Switches the lamp',
    inputSchema: { type: 'object', properties: { on: { type: 'boolean' } } },
    readOnly: false,
    run: async input => ({ content: `lamp ${JSON.stringify(input.on)}` }),
    ...more,
  })
  const scene = (
    more: Partial<ChatTool>,
    config: SceneOptions['config'] = {},
  ): Promise<Awaited<ReturnType<typeof chatWith>>> =>
    chatWith({
      replies: [use('mcp__host__lamp', { on: true }), { text: 'Done.' }],
      config: { extraTools: [tool(more)], ...config },
    })

  const byRule = (rule: string): SceneOptions['config'] => ({ permissions: { allow: [rule] } })
  const strict: SceneOptions['config'] = { permissions: { defaultMode: 'dontAsk' } }
  test.each([
    ['need permission', { asked: 1 }],
    ['that only look need none', { asked: 0, more: { readOnly: true } }],
    [
      'that ask for themselves are not asked for',
      { asked: 0, more: { decidesItself: true }, config: strict },
    ],
    ['may be allowed by a rule', { asked: 0, config: byRule('mcp__host__lamp') }],
    ['may be allowed by a rule about their server', { asked: 0, config: byRule('mcp__host') }],
  ])('%s', async (_, { more = {}, config, asked }: Case) => {
    await using told = await scene(more, config)
    const { questions, permission } = asker({ allowed: true })
    const { end, events } = await told.say('Light!', { permission })
    expect(questions).toHaveLength(asked)
    expect(end.denials).toEqual([])
    expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: 'lamp true' } }])
  })

  test('that ask for themselves can say that they were not allowed', async () => {
    await using told = await scene({
      decidesItself: true,
      run: async () => ({ content: 'not now', failed: true, denied: true }),
    })
    const { end } = await told.say('Light!')
    expect(end.denials).toEqual([
      { tool_name: 'mcp__host__lamp', tool_use_id: expect.any(String), tool_input: { on: true } },
    ])
  })

  test('are not told of when a rule denies them', async () => {
    await using told = await scene({ decidesItself: true }, { permissions: { deny: ['mcp__host'] } })
    expect(await told.chat.toolNames()).not.toContain('mcp__host__lamp')
    const { events } = await told.say('Light!')
    expect(eventsOf(events, 'tool_result')).toMatchObject([
      { result: { failed: true, content: expect.stringContaining('There is no tool mcp__host__lamp') } },
    ])
  })

  test('answer by another name, too', async () => {
    await using told = await scene({ name: 'Lamp', aliases: ['mcp__host__lamp'], readOnly: true })
    const { events } = await told.say('Light!')
    expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: 'lamp true' } }])
  })
})
