import type { MockReply } from '@tutti-internal/mock-model'
import { describe, expect, test } from 'vitest'
import { chatWith, eventsOf } from './chat-at.ts'

const jsonSchema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const submit = (n: unknown): MockReply => ({ toolCalls: [{ name: 'StructuredOutput', input: { n } }] })

describe.each(['anthropic', 'openai', 'google'] as const)('over the %s wire', wire => {
  test('the turn ends with the object', async () => {
    await using scene = await chatWith({ wire, config: { jsonSchema }, replies: [submit(1)] })
    expect(await scene.chat.toolNames()).toContain('StructuredOutput')
    const { end, events } = await scene.say('How many?')
    expect(end).toMatchObject({ outcome: 'success', structuredOutput: { n: 1 }, text: '{"n":1}', answers: 1 })
    expect(eventsOf(events, 'tool_result')).toMatchObject([
      { toolName: 'StructuredOutput', result: { structured: { n: 1 } } },
    ])
  })

  test('a wrong object is corrected', async () => {
    await using scene = await chatWith({ wire, config: { jsonSchema }, replies: [submit('one'), submit(1)] })
    const { end } = await scene.say('How many?')
    expect(end).toMatchObject({ outcome: 'success', structuredOutput: { n: 1 }, answers: 2 })
    expect(JSON.stringify(scene.server.requests[1]?.body)).toContain('/n must be integer')
  })

  test('a model that forgets it is told once, and made to', async () => {
    await using scene = await chatWith({
      wire,
      config: { jsonSchema },
      replies: [{ text: 'One.' }, submit(1)],
    })
    const { end } = await scene.say('How many?')
    expect(end).toMatchObject({ outcome: 'success', structuredOutput: { n: 1 }, text: 'One.' })
    const { body } = scene.server.requests[1] ?? {}
    expect(JSON.stringify(body?.tool_choice ?? body?.toolConfig)).toContain('StructuredOutput')
  })
})

test('five wrong objects are enough', async () => {
  await using scene = await chatWith({ config: { jsonSchema }, replies: () => submit('one') })
  const { end } = await scene.say('How many?')
  expect(end).toMatchObject({
    outcome: 'error_max_structured_output_retries',
    cause: 'schema_rejected',
    answers: 5,
  })
  expect(end.errors[0]).toContain('/n must be integer')
})

test('a model that never hands it over fails', async () => {
  await using scene = await chatWith({ config: { jsonSchema }, replies: () => ({ text: 'One.' }) })
  const { end } = await scene.say('How many?')
  expect(end).toMatchObject({
    outcome: 'error_max_structured_output_retries',
    cause: 'schema_not_called',
    answers: 2,
  })
})

test('a model that refuses to be made to is asked without', async () => {
  const replies: MockReply[] = [
    { text: 'One.' },
    { error: { status: 400, type: 'invalid_request_error', message: 'tool_choice is not supported' } },
    submit(1),
  ]
  await using scene = await chatWith({ config: { jsonSchema }, replies })
  expect((await scene.say('How many?')).end).toMatchObject({ outcome: 'success', structuredOutput: { n: 1 } })
})

test('a schema that cannot be used is said so', async () => {
  await using scene = await chatWith({ config: { jsonSchema: { type: 'string' } }, replies: [] })
  const { end } = await scene.say('How many?')
  expect(end).toMatchObject({ outcome: 'error_during_execution', cause: 'invalid_request' })
  expect(end.errors[0]).toContain('schema of the result')
})
