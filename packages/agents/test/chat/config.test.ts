import type { MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import { BUILT_IN_NAMES } from '../../src/tools/names.ts'
import { BUILT_IN_TOOLS } from '../../src/tools/toolbox.ts'
import { chatWith, eventsOf, resultTexts, type SceneOptions } from './chat-at.ts'

const BUILT_IN = [...BUILT_IN_NAMES]
const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })

describe('the system prompt', () => {
  async function systemOf(given: Partial<SceneOptions>): Promise<string | undefined> {
    await using scene = await chatWith({
      files: { 'CLAUDE.md': 'Use tabs.' },
      replies: [{ text: 'Fine.' }],
      ...given,
    })
    await scene.say('Hi')
    const { system } = (scene.server.requests[0]?.body ?? {}) as { system?: { text: string }[] }
    return system?.map(({ text }) => text).join('\n')
  }

  test('says who speaks, where, and what the project wants', async () => {
    const text = await systemOf({})
    for (const part of ['You are Tutti', 'Use tabs.', 'Working directory:']) expect(text).toContain(part)
  })

  test('leaves out what the project wants when told to', async () => {
    expect(await systemOf({ options: { projectInstructions: false } })).not.toContain('Use tabs.')
  })

  test('is replaced and added to', async () => {
    expect(await systemOf({ config: { systemPrompt: 'Be a cat.', appendSystemPrompt: 'A grey one.' } })).toBe(
      'Be a cat.\n\nA grey one.',
    )
    expect(await systemOf({ config: { appendSystemPrompt: 'A grey one.' } })).toMatch(
      /You are Tutti[^]*A grey one\.$/,
    )
  })

  test('can be empty', async () => {
    expect(await systemOf({ config: { systemPrompt: '' } })).toBeUndefined()
  })

  test('stays the same for all of the conversation', async () => {
    await using scene = await chatWith({
      replies: [use('Glob', { pattern: '*' }), { text: 'One.' }, { text: 'Two.' }],
    })
    await scene.say('Hi')
    await scene.say('Again')
    const [first, ...rest] = scene.server.requests.map(({ body }) =>
      JSON.stringify([body.system, body.tools]),
    )
    expect(rest).toEqual([first, first])
  })
})

describe('how hard to think', () => {
  test.each([
    [
      'anthropic',
      { thinkingTokens: 4000 },
      { thinking: { type: 'enabled', budget_tokens: 4000 }, max_tokens: 20_000 },
    ],
    ['anthropic', { thinkingTokens: 10 }, { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['anthropic', { thinkingTokens: 0 }, { thinking: { type: 'disabled' } }],
    ['anthropic', { effort: 'high' }, { output_config: { effort: 'high' } }],
    ['openai', { effort: 'high', thinkingTokens: 4000 }, { reasoning_effort: 'high' }],
    ['google', { thinkingTokens: 4000 }, { generationConfig: { thinkingConfig: { thinkingBudget: 4000 } } }],
    ['google', { effort: 'low' }, { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }],
  ] as const)('%s %j', async (wire, config, expected) => {
    await using scene = await chatWith({ wire, config, replies: [{ text: 'Fine.' }] })
    expect((await scene.say('Hi')).end.outcome).toBe('success')
    expect(scene.server.requests[0]?.body).toMatchObject(expected)
  })
})

describe('tools', () => {
  test.each([
    [undefined, BUILT_IN],
    [
      ['Read', 'Grep'],
      ['Grep', 'Read'],
    ],
    [['*'], BUILT_IN],
    [[], []],
  ])('of %j are %j', async (tools, names) => {
    await using scene = await chatWith({ config: { ...(tools && { tools }) }, replies: [{ text: 'Fine.' }] })
    expect(await scene.chat.toolNames()).toEqual(names)
    await scene.say('Hi')
    const told = (scene.server.requests[0]?.body.tools ?? []) as { name: string }[]
    expect(told.map(({ name }) => name)).toEqual(names)
  })

  test('have the names they are known by before they are loaded', () => {
    expect(BUILT_IN_TOOLS.map(({ name }) => name)).toEqual(BUILT_IN)
  })

  test('that a rule denies are not told of', async () => {
    await using scene = await chatWith({
      config: { permissions: { deny: ['Bash', 'WebFetch'] } },
      replies: [],
    })
    expect(await scene.chat.toolNames()).toEqual(
      BUILT_IN.filter(name => name !== 'Bash' && name !== 'WebFetch'),
    )
  })

  test('of the host come first, also instead of ours', async () => {
    const tool = {
      name: 'Read',
      description: 'Ours no more',
      inputSchema: { type: 'object' },
      readOnly: true,
    }
    const extraTools = [{ ...tool, run: async () => ({ content: 'by the host' }) }]
    await using scene = await chatWith({
      config: { extraTools },
      replies: [use('Read', {}), { text: 'Fine.' }],
    })
    expect((await scene.chat.toolNames()).filter(name => name === 'Read')).toHaveLength(1)
    const { events } = await scene.say('Hi')
    expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: 'by the host' } }])
  })

  test('that do not exist, input that cannot be read, and what throws are told to the model', async () => {
    const tool = { name: 'Broken', description: '', inputSchema: { type: 'object' }, readOnly: true }
    const extraTools = [{ ...tool, run: () => Promise.reject(new Error('it is broken')) }]
    await using scene = await chatWith({
      config: { extraTools },
      replies: [
        use('Nope', {}),
        use('Read', '{broken'),
        use('Read', { path: 1 }),
        use('Broken', {}),
        { text: 'Fine.' },
      ],
    })
    const { end, events } = await scene.say('Hi')
    expect(end).toMatchObject({ outcome: 'success', answers: 5 })
    expect(eventsOf(events, 'tool_result').map(({ result }) => [result.failed, result.content])).toEqual([
      [true, expect.stringContaining('There is no tool Nope; the tools are Broken, Bash')],
      [true, expect.stringContaining('not valid JSON')],
      [true, expect.stringContaining('does not fit Read')],
      [true, 'Broken failed: it is broken'],
    ])
  })

  test('that only look run at once, and their results stay in order', async () => {
    let running = 0
    let most = 0
    const tool = (name: string, readOnly: boolean, turns: number) => ({
      name,
      description: '',
      inputSchema: { type: 'object' },
      readOnly,
      decidesItself: true,
      run: async () => {
        most = Math.max(most, ++running)
        for (let n = 0; n < turns; n++) await new Promise(resolve => setImmediate(resolve))
        const content = `${name} with ${running}`
        running--
        return { content }
      },
    })
    const names = ['Slow', 'Quick', 'Change', 'Quick']
    await using scene = await chatWith({
      config: { extraTools: [tool('Slow', true, 20), tool('Quick', true, 1), tool('Change', false, 5)] },
      replies: [{ toolCalls: names.map(name => ({ name, input: {} })) }, { text: 'Fine.' }],
    })
    const { events } = await scene.say('Hi')
    expect(most).toBe(2)
    expect(eventsOf(events, 'tool_result').map(({ result }) => result.content)).toEqual([
      'Slow with 1',
      'Quick with 2',
      'Change with 1',
      'Quick with 1',
    ])
  })

  test('long results of others are cut, and can be read in full', async () => {
    const long = 'x'.repeat(50_000)
    const tool = { name: 'Long', description: '', inputSchema: { type: 'object' }, readOnly: true }
    const extraTools = [{ ...tool, run: async () => ({ content: long }) }]
    await using scene = await chatWith({
      config: { extraTools },
      replies: [use('Long', {}), { text: 'Fine.' }],
    })
    const { events } = await scene.say('Hi')
    const [told = ''] = resultTexts(events)
    expect(told.length).toBeLessThan(31_000)
    expect(told).toContain('Read and Grep can open')
  })

  test('reach directories beside the project that were named', async () => {
    await using other = await chatWith({ files: { b: 'beside' }, replies: [] })
    const file_path = other.project.path('b')
    const replies = [use('Read', { file_path }), { text: 'Fine.' }]
    await using without = await chatWith({ replies })
    const denied = await without.say('Look.')
    expect(eventsOf(denied.events, 'tool_result')).toMatchObject([{ result: { failed: true } }])
    await using scene = await chatWith({
      replies,
      options: { additionalDirectories: [other.project.root, '/does/not/exist'] },
    })
    const { events } = await scene.say('Look.')
    expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: '     1→beside' } }])
    expect(JSON.stringify(scene.server.requests[0]?.body.system)).toContain(other.project.root)
  })
})

test('aliases name models', async () => {
  await using scene = await chatWith({
    config: { model: 'small' },
    options: { models: { small: 'tiny-1' } },
    replies: [{ text: 'Fine.' }],
  })
  expect(scene.chat.modelId).toBe('tiny-1')
  await scene.say('Hi')
  expect(scene.server.requests[0]?.body.model).toBe('tiny-1')
  scene.chat.configure({ model: 'default' })
  expect(scene.chat.modelId).toBe('test-model')
})
