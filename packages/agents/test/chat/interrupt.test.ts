import { readFile } from 'node:fs/promises'
import type { MockReply } from '@tutti-internal/mock-model'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProcessGroups } from '../../src/process-groups.ts'
import { completeHistory } from '../../src/chat/complete-history.ts'
import type { ChatEvent, ChatTool } from '../../src/chat/types.ts'
import { chatWith, eventsOf, gone, type Scene } from './chat-at.ts'
import { expectTaken } from './expect-taken.ts'

const use = (name: string, input: unknown): MockReply => ({ toolCalls: [{ name, input }] })

/** The history is as an endpoint takes it, without anything to be made up for. */
function expectComplete({ chat }: Scene): void {
  const joined = completeHistory(chat.messages)
  const blocks = (messages: typeof chat.messages): unknown[] =>
    messages.flatMap(({ content }) =>
      typeof content === 'string' ? [{ type: 'text', text: content }] : content,
    )
  expect(blocks(joined)).toEqual(blocks(chat.messages))
}

/** Says something and stops at the first event that fits. */
async function stopAt(
  scene: Scene,
  fits: (event: ChatEvent) => boolean,
): Promise<Awaited<ReturnType<Scene['say']>>> {
  const stop = new AbortController()
  const events: ChatEvent[] = []
  const { end } = await scene.say('Go.', {
    signal: stop.signal,
    emit(event) {
      events.push(event)
      if (fits(event)) stop.abort()
    },
  })
  return { end, events }
}

describe.each(['anthropic', 'openai', 'google'] as const)('over the %s wire', wire => {
  test('an answer is stopped while it comes, and the conversation goes on', async () => {
    const text = 'one two three four five six seven'
    await using scene = await chatWith({ wire, replies: [{ text, hangAfter: 4 }, { text: 'Fine.' }] })
    const { end, events } = await stopAt(scene, event => JSON.stringify(event).includes('one two'))
    expect(end).toMatchObject({ outcome: 'interrupted', errors: [], answers: 0 })
    expect(await scene.server.requests[0]?.ended).toBe('closed by client')
    expect(scene.chat.messages).toEqual([
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'text', text: expect.stringMatching(/^one two/) as string }] },
      { role: 'user', content: '[Request interrupted by user]' },
    ])
    expect(eventsOf(events, 'assistant')).toMatchObject([{ message: { stop_reason: null } }])
    expectComplete(scene)
    expect((await scene.say('Again.')).end).toMatchObject({ outcome: 'success', text: 'Fine.' })
  })
})

test('a tool that ends by itself is waited for when the turn is stopped', async () => {
  let abort: () => void = () => {}
  const signal = new AbortController()
  const lamp: ChatTool = {
    name: 'Lamp',
    description: 'Switches the lamp',
    inputSchema: { type: 'object' },
    readOnly: true,
    endsItself: true,
    async run(_, given) {
      abort()
      await new Promise(resolve => setImmediate(resolve))
      return { content: given.signal.aborted ? 'it was on already' : 'on' }
    },
  }
  await using scene = await chatWith({ config: { extraTools: [lamp] }, replies: [use('Lamp', {})] })
  abort = () => signal.abort()
  const { end, events } = await scene.say('Light!', { signal: signal.signal })
  expect(end.outcome).toBe('interrupted')
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { content: 'it was on already' } }])
  expectComplete(scene)
})

test('tools that were asked for in an answer that was stopped are not used', async () => {
  const reply = { ...use('Bash', { command: 'touch made' }), text: 'I will.', pieceLength: 20, hangAfter: 8 }
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'bypassPermissions' } },
    replies: [reply, { text: 'Fine.' }],
  })
  const { end, events } = await stopAt(scene, event => JSON.stringify(event).includes('input_json_delta'))
  expect(end.outcome).toBe('interrupted')
  expect(eventsOf(events, 'tool_result')).toEqual([])
  expect(JSON.stringify(scene.chat.messages)).not.toContain('tool_use')
  expectComplete(scene)
})

test('a stop before the first word leaves nothing of the answer', async () => {
  const stop = new AbortController()
  await using scene = await chatWith({
    replies: () => {
      stop.abort()
      return { text: 'late', delayMs: 60_000 }
    },
  })
  const { end } = await scene.say('Go.', { signal: stop.signal })
  expect(end.outcome).toBe('interrupted')
  expect(scene.chat.messages.map(({ role }) => role)).toEqual(['user', 'user'])
})

test('a turn that is stopped before it begins asks nobody', async () => {
  await using scene = await chatWith({ replies: [] })
  const { end } = await scene.say('Go.', { signal: AbortSignal.abort() })
  expect(end.outcome).toBe('interrupted')
  expect(scene.server.requests).toEqual([])
})

test('a command is ended with all it started, and each use of a tool has its result', async () => {
  const stop = new AbortController()
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'bypassPermissions' } },
    workspace: { groups: createProcessGroups() },
    replies: [
      {
        toolCalls: [
          {
            name: 'Bash',
            input: { command: 'sleep 4711 & echo $! > child; echo $$ > self; sleep 4712; echo late' },
          },
          { name: 'Bash', input: { command: 'touch never' } },
        ],
      },
      { text: 'Fine.' },
    ],
  })
  const turn = scene.say('Go.', { signal: stop.signal })
  const pids = await filled(scene, ['child', 'self'])
  stop.abort()
  const { end, events } = await turn
  expect(end.outcome).toBe('interrupted')
  await Promise.all(pids.map(pid => gone(Number(pid))))
  expect(eventsOf(events, 'tool_result').map(({ result }) => result)).toEqual([
    { content: '[stopped]', failed: true },
    { content: '[Request interrupted by user]', failed: true },
  ])
  expectComplete(scene)
  expect((await scene.say('Again.')).end).toMatchObject({ outcome: 'success', text: 'Fine.' })
})

test.each(['a tool', 'a question', 'a hook'])(
  '%s that does not listen does not hold the turn',
  async what => {
    const stop = new AbortController()
    const never = (): Promise<never> => {
      stop.abort()
      return new Promise(() => {})
    }
    const tool: ChatTool = {
      name: 'Wait',
      description: 'Waits',
      inputSchema: { type: 'object' },
      readOnly: what === 'a tool',
      run: never,
    }
    await using scene = await chatWith({
      config: { extraTools: [tool] },
      replies: [use('Wait', {}), { text: 'Fine.' }],
    })
    const { end, events } = await scene.say('Go.', {
      signal: stop.signal,
      ...(what === 'a hook' && { beforeTool: never }),
      permission: never,
    })
    expect(end).toMatchObject({ outcome: 'interrupted', denials: [] })
    expect(eventsOf(events, 'tool_result')).toMatchObject([
      { result: { content: '[Request interrupted by user]' } },
    ])
    expectComplete(scene)
  },
)

const uses = fc.array(
  fc.record({
    name: fc.constantFrom('Glob', 'Nothing', 'Slow', 'Write'),
    input: fc.constant({ pattern: '*' }),
  }),
  { maxLength: 3 },
)
const talks = fc.array(
  fc.record({
    text: fc.string({ maxLength: 20 }),
    thinking: fc.constantFrom('Hm.', undefined),
    toolCalls: uses,
  }),
  { minLength: 1, maxLength: 3 },
)

test('wherever a turn is stopped, what is sent after it is complete', async () => {
  const slow: ChatTool = {
    name: 'Slow',
    description: 'Takes a while',
    inputSchema: { type: 'object' },
    readOnly: true,
    run: async () => {
      for (let n = 0; n < 5; n++) await new Promise(resolve => setImmediate(resolve))
      return { content: 'slowly' }
    },
  }
  await fc.assert(
    fc.asyncProperty(talks, fc.nat(40), async (replies, last) => {
      await using scene = await chatWith({
        config: { extraTools: [slow] },
        replies: ({ n }) => replies[n] ?? { text: 'Fine.' },
      })
      let seen = 0
      await stopAt(scene, () => seen++ === last)
      expectComplete(scene)
      const { end } = await scene.say('Go on.')
      expect(end.outcome).toBe('success')
      for (const request of scene.server.requests) expectTaken(request)
    }),
    { seed: 11, numRuns: 30 },
  )
}, 60_000)

test('a chat that is closed ends its turn', async () => {
  await using scene = await chatWith({ replies: [{ text: 'never', delayMs: 60_000 }] })
  const turn = scene.say('Go.')
  await scene.chat.close()
  expect((await turn).end.outcome).toBe('interrupted')
})

test('a second turn at the same time is refused', async () => {
  await using scene = await chatWith({ replies: [{ text: 'One.' }] })
  const [first, second] = await Promise.all([scene.say('One?'), scene.say('Two?')])
  expect(first.end.outcome).toBe('success')
  expect(second.end).toMatchObject({
    outcome: 'error_during_execution',
    errors: [expect.stringContaining('not ended')],
  })
  expect(scene.chat.messages).toHaveLength(2)
})

/** Waits until the command has written the files. */
async function filled({ project }: Scene, names: string[]): Promise<string[]> {
  for (;;) {
    const texts = await Promise.all(names.map(name => readFile(project.path(name), 'utf8').catch(() => '')))
    if (texts.every(text => text.trim() !== '')) return texts.map(text => text.trim())
    await new Promise(resolve => setImmediate(resolve))
  }
}
