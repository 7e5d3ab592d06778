import type { MockReply } from '@tutti-internal/mock-model'
import { createSeededRandom } from '@tutti/runtime/testing'
import { expect, test } from 'vitest'
import { createChat } from '../../src/chat/index.ts'
import { SECRET } from '../model/backend-at.ts'
import { chatWith, eventsOf, sayIn } from './chat-at.ts'

const look: MockReply = { toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }
const overloaded: MockReply = { error: { status: 529, type: 'overloaded_error', message: 'Overloaded' } }

test('after so many answers the turn ends, with its tools used', async () => {
  await using scene = await chatWith({ config: { maxTurns: 2 }, replies: () => look })
  const { end, events } = await scene.say('Look around.')
  expect(end).toMatchObject({ outcome: 'error_max_turns', cause: 'max_turns', answers: 2 })
  expect(eventsOf(events, 'tool_result')).toHaveLength(2)
  expect(scene.server.requests).toHaveLength(2)
})

test('the last answer that is allowed may end the turn', async () => {
  await using scene = await chatWith({ config: { maxTurns: 2 }, replies: [look, { text: 'Nothing here.' }] })
  expect((await scene.say('Look around.')).end).toMatchObject({ outcome: 'success', text: 'Nothing here.' })
})

test('no request is begun when the money is spent', async () => {
  const usage = { input: 1_000_000, output: 0 }
  await using scene = await chatWith({
    config: { maxBudgetUsd: 2 },
    options: { prices: { 'test-model': { input: 1.5, output: 1 } } },
    replies: () => ({ ...look, usage }),
  })
  const { end } = await scene.say('Look around.')
  expect(end).toMatchObject({
    outcome: 'error_max_budget_usd',
    usage: { 'test-model': { input: 2_000_000, costUsd: 3 } },
  })
  expect(end.errors[0]).toContain('$3.0000')
  expect(scene.server.requests).toHaveLength(2)
  expect((await scene.say('Go on.')).end).toMatchObject({
    outcome: 'error_max_budget_usd',
    answers: 0,
    usage: {},
  })
  expect(scene.server.requests).toHaveLength(2)
})

test('what has no known price is not counted as spent', async () => {
  await using scene = await chatWith({
    config: { maxBudgetUsd: 0.01 },
    replies: [
      { ...look, usage: { input: 9_000_000 } },
      { text: 'Done.', usage: { input: 1 } },
    ],
  })
  const { end } = await scene.say('Look around.')
  expect(end).toMatchObject({ outcome: 'success', usage: { 'test-model': { costUsd: null } } })
})

test.each([
  [{ status: 401, type: 'authentication_error', message: `invalid key ${SECRET}` }, 'auth'],
  [{ status: 402, type: 'billing_error', message: 'credit balance is too low' }, 'billing'],
  [{ status: 429, type: 'rate_limit_error', message: 'monthly limit reached' }, 'quota'],
  [{ status: 429, type: 'rate_limit_error', message: 'slow down' }, 'rate_limited'],
  [{ status: 529, type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
  [{ status: 404, type: 'not_found_error', message: 'model: test-model' }, 'model_not_found'],
  [{ status: 400, type: 'invalid_request_error', message: 'messages: bad' }, 'invalid_request'],
])('%j ends the turn with its cause', async (error, cause) => {
  await using scene = await chatWith({ replies: [{ error }, { text: 'Better.' }] })
  const { end } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause, answers: 0 })
  expect(end.errors[0]).toContain(String(error.status))
  expect(JSON.stringify(end)).not.toContain(SECRET)
  expect((await scene.say('Again.')).end.text).toBe('Better.')
})

test('what the provider would not even send is the request, not the connection', async () => {
  await using scene = await chatWith({ config: { effort: 'enormous' }, replies: [] })
  const { end } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause: 'invalid_request' })
  expect(end.errors[0]).toContain('effort')
})

test('what passes is waited for, and told', async () => {
  await using scene = await chatWith({
    options: { retries: 2, random: createSeededRandom(1) },
    replies: [
      { error: { status: 429, type: 'rate_limit_error', headers: { 'retry-after-ms': '20' } } },
      { error: { status: 500, headers: { 'retry-after-ms': '10' } } },
      { text: 'Fine.' },
    ],
  })
  const { end, events } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'success', text: 'Fine.' })
  expect(eventsOf(events, 'retry')).toEqual([
    { type: 'retry', cause: 'rate_limited', attempt: 1, delayMs: 20 },
    { type: 'retry', cause: 'server_error', attempt: 2, delayMs: 10 },
  ])
})

test('an answer that breaks off is asked for again', async () => {
  await using scene = await chatWith({
    replies: [{ text: 'one two three four five', disconnectAfter: 3 }, { text: 'All of it.' }],
  })
  const { end, events } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'success', text: 'All of it.', answers: 1 })
  expect(eventsOf(events, 'retry')).toMatchObject([{ cause: 'network', attempt: 1 }])
  expect(eventsOf(events, 'assistant')).toHaveLength(1)
})

test('an overloaded model is replaced for the turn', async () => {
  await using scene = await chatWith({
    config: { fallbackModel: 'spare' },
    options: { models: { spare: 'spare-model' } },
    replies: [overloaded, { text: 'I step in.' }, { text: 'Back again.' }],
  })
  const { end } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'success', text: 'I step in.', usage: { 'spare-model': {} } })
  await scene.say('And now?')
  expect(scene.server.requests.map(({ body }) => body.model)).toEqual([
    'test-model',
    'spare-model',
    'test-model',
  ])
})

test('a conversation that has become too long is made shorter', async () => {
  const long = 'x'.repeat(2000)
  const full: MockReply = {
    error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long' },
  }
  const read: MockReply = { toolCalls: [{ name: 'Read', input: { file_path: 'long' } }] }
  await using scene = await chatWith({
    files: { long },
    replies: [read, read, read, full, { text: 'Done.' }],
  })
  const { end } = await scene.say('Read it.')
  expect(end).toMatchObject({ outcome: 'success', text: 'Done.' })
  expect(JSON.stringify(scene.server.requests[4]?.body)).toContain('left out to make room')
  expect(JSON.stringify(scene.chat.messages)).not.toContain('left out to make room')
})

test('the oldest is left out when there is no other way', async () => {
  const full: MockReply = {
    error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long' },
  }
  await using scene = await chatWith({
    replies: [{ text: 'One.' }, { text: 'Two.' }, full, { text: 'Three.' }],
  })
  for (const text of ['first', 'second', 'third']) await scene.say(text)
  const last = JSON.stringify(scene.server.requests[3]?.body.messages)
  expect(last).not.toContain('first')
  expect(last).toContain('third')
  expect(last).toContain('Earlier messages were left out')
})

test('a message that is too long by itself is said so', async () => {
  const full: MockReply = {
    error: { status: 400, type: 'invalid_request_error', message: 'prompt is too long' },
  }
  await using scene = await chatWith({ replies: () => full })
  const { end } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause: 'context_overflow' })
  expect(end.errors[0]).toContain('begin a new one')
})

test.each([
  [{ text: 'Half a', stop: 'max_tokens' }, 'context_overflow', 'max_tokens'],
  [{ text: 'I', stop: 'refusal' }, 'refused', 'refusal'],
] as const)('%j is no success', async (reply, cause, stopReason) => {
  await using scene = await chatWith({ replies: [reply, { text: 'Fine.' }] })
  const { end } = await scene.say('Hi')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause, stopReason, text: reply.text })
  expect((await scene.say('Go on.')).end.outcome).toBe('success')
})

test('an answer that the endpoint gave up is asked for once more', async () => {
  const broken: MockReply = { stop: 'MALFORMED_FUNCTION_CALL' }
  await using scene = await chatWith({ wire: 'google', replies: [broken, { text: 'Fine.' }, broken, broken] })
  expect((await scene.say('Hi')).end).toMatchObject({ outcome: 'success', text: 'Fine.' })
  const { end } = await scene.say('And now?')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause: 'no_final_text' })
  expect(end.errors[0]).toContain('MALFORMED_FUNCTION_CALL')
})

test('tools of a refused answer are not used', async () => {
  const write = { name: 'Write', input: { file_path: 'x', content: 'x' } }
  await using scene = await chatWith({
    config: { permissions: { defaultMode: 'bypassPermissions' } },
    replies: [{ toolCalls: [write], stop: 'refusal' }, { text: 'Fine.' }],
  })
  const { end, events } = await scene.say('Hi')
  expect(end.cause).toBe('refused')
  expect(eventsOf(events, 'tool_result')).toMatchObject([{ result: { failed: true } }])
  expect((await scene.say('Go on.')).end.outcome).toBe('success')
})

test('without an endpoint the turn says what to set', async () => {
  const chat = createChat({
    endpoint: undefined,
    workspace: { projectRoot: process.cwd(), env: {} },
    config: { permissions: {}, extraTools: [] },
  })
  const { end } = await sayIn(chat, 'Hi')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause: 'backend_unavailable' })
  expect(end.errors[0]).toContain('ANTHROPIC_API_KEY')
  expect(chat.modelId).toBeUndefined()
  await chat.close()
})

test('without a model the turn says what to set', async () => {
  const endpoint = {
    wire: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
    apiKey: SECRET,
    aliases: {},
    credentialName: '',
  } as const
  const chat = createChat({
    endpoint,
    workspace: { projectRoot: process.cwd(), env: {} },
    config: { permissions: {}, extraTools: [] },
  })
  const { end } = await sayIn(chat, 'Hi')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause: 'model_not_found' })
  expect(end.errors[0]).toContain('OPENAI_MODEL')
  await chat.close()
})
