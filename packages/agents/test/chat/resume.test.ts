import { startMockModel, type MockReply } from '@tutti-internal/mock-model'
import type { ContentBlock } from '@tutti/protocol'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { completeHistory } from '../../src/chat/complete-history.ts'
import { configuredEndpoint, createChat } from '../../src/chat/index.ts'
import type { ChatMessage } from '../../src/chat/types.ts'
import { environmentAt } from '../model/backend-at.ts'
import { chatWith, sayIn } from './chat-at.ts'
import { expectTaken } from './expect-taken.ts'

const look: MockReply = { toolCalls: [{ name: 'Glob', input: { pattern: '*' } }], thinking: 'Where is it?' }

describe.each(['anthropic', 'openai', 'responses', 'google'] as const)('over the %s wire', wire => {
  test('a conversation goes on from its messages alone, also after JSON', async () => {
    await using first = await chatWith({
      wire,
      files: { here: '' },
      replies: [look, { text: 'It is here.' }],
    })
    await first.say('Where?')
    const messages = JSON.parse(JSON.stringify(first.chat.messages)) as ChatMessage[]

    await using second = await chatWith({ wire, replies: [{ text: 'As I said.' }], options: { messages } })
    const { end } = await second.say('Where, again?')
    expect(end).toMatchObject({ outcome: 'success', text: 'As I said.' })
    const body = JSON.stringify(second.server.requests[0]?.body)
    for (const text of ['Where?', 'Glob', 'here', 'It is here.', 'Where, again?'])
      expect(body).toContain(text)
    expect(second.chat.messages).toHaveLength(messages.length + 2)
  })

  test('what the endpoint signed goes back within the process', async () => {
    await using scene = await chatWith({ wire, replies: [look, { text: 'Done.' }] })
    await scene.say('Where?')
    const body = JSON.stringify(scene.server.requests[1]?.body)
    if (wire !== 'openai') expect(body).toContain('signature-1')
  })
})

test('a signed thought goes back to Anthropic, an unsigned one does not', async () => {
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'signed', signature: 'abc' },
        { type: 'thinking', thinking: 'unsigned', signature: '' },
        { type: 'redacted_thinking', data: 'hidden' },
        { type: 'text', text: 'Hello.' },
      ],
    },
  ]
  await using scene = await chatWith({ replies: [{ text: 'Fine.' }], options: { messages } })
  await scene.say('And?')
  const sent = scene.server.requests[0]?.body.messages as { content: unknown }[] | undefined
  expect(sent?.[1]?.content).toEqual([
    { type: 'thinking', thinking: 'signed', signature: 'abc' },
    { type: 'redacted_thinking', data: 'hidden' },
    { type: 'text', text: 'Hello.' },
  ])
})

test('thoughts of one model are not sent to another', async () => {
  await using scene = await chatWith({
    replies: [{ thinking: 'deep', text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }],
  })
  await scene.say('Hi')
  await scene.say('Again')
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('deep')
  scene.chat.configure({ model: 'other' })
  expect(scene.chat.modelId).toBe('other')
  await scene.say('Once more')
  expect(scene.server.requests[2]?.body.model).toBe('other')
  expect(JSON.stringify(scene.server.requests[2]?.body)).not.toContain('deep')
})

test('thoughts that the endpoint does not take are left out', async () => {
  const content: ContentBlock[] = [
    { type: 'thinking', thinking: 'deep', signature: 'of another' },
    { type: 'text', text: 'Hello.' },
  ]
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content },
  ]
  const message = 'messages.1.content.0: Invalid `signature` in `thinking` block'
  const refused = { error: { status: 400, type: 'invalid_request_error', message } }
  await using scene = await chatWith({ replies: [refused, { text: 'Fine.' }], options: { messages } })
  expect((await scene.say('And?')).end).toMatchObject({ outcome: 'success', text: 'Fine.' })
  expect(JSON.stringify(scene.server.requests[1]?.body)).not.toContain('deep')
})

test('images and results of every shape are sent', async () => {
  const image: ContentBlock = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
  }
  const messages: ChatMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'See' }, image] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Shot', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'shot' }, image] }],
    },
  ]
  for (const wire of ['anthropic', 'openai', 'responses', 'google'] as const) {
    await using scene = await chatWith({ wire, replies: [{ text: 'Seen.' }], options: { messages } })
    expect((await scene.say('And?')).end).toMatchObject({ outcome: 'success', text: 'Seen.' })
    const body = JSON.stringify(scene.server.requests[0]?.body)
    expect(body.split('iVBORw0KGgo=').length - 1).toBe(wire === 'openai' ? 1 : 2)
    expect(body).toContain('shot')
  }
})

test('what was said outside of a turn is known in the next request', async () => {
  const tool = {
    name: 'Tell',
    description: '',
    inputSchema: { type: 'object' },
    readOnly: true,
    run: async () => {
      scene.chat.append({ role: 'user', content: 'A note.' })
      return { content: 'told' }
    },
  }
  await using scene = await chatWith({
    config: { extraTools: [tool] },
    replies: [{ toolCalls: [{ name: 'Tell', input: {} }] }, { text: 'Done.' }, { text: 'Fine.' }],
  })
  await scene.say('Go.')
  expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('A note.')
  scene.chat.append({ role: 'user', content: 'Later.' }, { role: 'assistant', content: 'Noted.' })
  await scene.say('And now?')
  expect(JSON.stringify(scene.server.requests[2]?.body)).toContain('Noted.')
  expect(scene.chat.messages.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
  ])
})

const ids = fc.constantFrom('a', 'b', 'c')
const block: fc.Arbitrary<ContentBlock> = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('tool_use'), id: ids, name: fc.constant('T'), input: fc.constant({}) }),
  fc.record({ type: fc.constant('tool_result'), tool_use_id: ids, content: fc.string() }),
)
const histories = fc.array(
  fc.oneof(
    fc.record<ChatMessage>({ role: fc.constant('user'), content: fc.oneof(fc.string(), fc.array(block)) }),
    fc.record<ChatMessage>({
      role: fc.constant('assistant'),
      content: fc.oneof(fc.string(), fc.array(block)),
    }),
  ),
)

test('whatever is missing, a history is completed so that endpoints take it', () => {
  fc.assert(
    fc.property(histories, messages => {
      const complete = completeHistory(messages)
      let open: unknown[] = []
      for (const [at, { role, content }] of complete.entries()) {
        expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant')
        const blocks = typeof content === 'string' ? [] : content
        const results = blocks.filter(({ type }) => type === 'tool_result').map(one => one.tool_use_id)
        if (role === 'user') expect(results).toEqual(open)
        open = role === 'user' ? [] : blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
      }
      expect(open).toEqual([])
      expect(completeHistory(complete)).toEqual(complete)
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('messages of any shape make a request', async () => {
  await using server = await startMockModel({ replies: () => ({ text: 'Fine.' }) })
  await fc.assert(
    fc.asyncProperty(histories, async messages => {
      const chat = createChat({
        endpoint: configuredEndpoint(environmentAt('anthropic', server.url)),
        workspace: { projectRoot: import.meta.dirname, env: {} },
        config: { permissions: {}, extraTools: [] },
        messages,
      })
      expect((await sayIn(chat, 'Hi')).end.outcome).toBe('success')
      await chat.close()
      expectTaken(server.requests.at(-1))
    }),
    { seed: 3, numRuns: 60 },
  )
}, 60_000)
