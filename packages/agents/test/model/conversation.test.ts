import { startMockModel, type MockModel, type MockReply } from '@tutti-internal/mock-model'
import type { JsonObject } from '@tutti/protocol'
import type { AgentEvent } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'
import { modelBackend, SECRET } from './backend-at.ts'

const schema: JsonObject = {
  type: 'object',
  required: ['title', 'line'],
  properties: { title: { type: 'string' }, line: { type: 'integer' } },
}
const wrong = { name: 'StructuredOutput', input: { title: 'T', line: 'four' } }
const right = { name: 'StructuredOutput', input: { title: 'T', line: 4 } }

describe.each(['anthropic', 'openai'] as const)('over the %s wire', wire => {
  async function at(replies: MockReply[]): Promise<{ server: MockModel; backend: Backend }> {
    const server = await startMockModel({ replies })
    return { server, backend: modelBackend(wire, server.url) }
  }

  test('text arrives in pieces and is the result', async () => {
    const { server, backend } = await at([
      { text: 'All three routes are safe.', usage: { input: 40, output: 9 } },
    ])
    await using _ = server
    const { outcome, events } = await play(backend, { prompt: 'Audit the routes.' })
    expect(outcome).toMatchObject({
      status: 'ok',
      value: 'All three routes are safe.',
      model: 'test-model',
      effects: 'none',
      usage: { input: 40, output: 9, cacheRead: 0, cacheWrite: 0, toolUses: 0 },
    })
    const texts = events.filter(event => event.type === 'text').map(event => event.text)
    expect(texts.length).toBeGreaterThan(2)
    expect(texts.join('')).toBe('All three routes are safe.')
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(server.requests[0]?.body)).toContain('Audit the routes.')
  })

  test('the model is known before the first text, and corrected when another one answered', async () => {
    const { server, backend } = await at([{ text: 'x', model: 'test-model-2026' }])
    await using _ = server
    const { outcome, events } = await play(backend)
    expect(events[0]).toEqual({ type: 'model', model: 'test-model' })
    expect(events).toContainEqual({ type: 'model', model: 'test-model-2026' })
    expect(outcome.model).toBe('test-model-2026')
  })

  test('the agent type and the note about the return value are the system prompt', async () => {
    const { server, backend } = await at([{ text: 'x' }])
    await using _ = server
    const agentType = { name: 'critic', prompt: 'You are a stern critic.', source: 'critic.md' }
    await play(backend, { agentType })
    const body = JSON.stringify(server.requests[0]?.body)
    expect(body).toContain('You are a stern critic.')
    expect(body).toContain('Nobody is there to answer questions')
  })

  test('tokens read from and written to a cache are counted apart', async () => {
    const { server, backend } = await at([
      { text: 'x', usage: { input: 10, output: 50, cacheRead: 900, cacheWrite: 70, reasoning: 30 } },
    ])
    await using _ = server
    const { outcome, events } = await play(backend)
    const cacheWrite = wire === 'anthropic' ? 70 : 0
    expect(outcome.usage).toMatchObject({ input: 10, output: 50, cacheRead: 900, cacheWrite })
    expect(events.at(-1)).toEqual({ type: 'usage', tokens: 960 + cacheWrite })
  })

  test('an object comes through the StructuredOutput tool', async () => {
    const { server, backend } = await at([{ text: 'Done.', toolCalls: [right] }])
    await using _ = server
    const { outcome, submitted } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { title: 'T', line: 4 }, usage: { toolUses: 1 } })
    expect(submitted).toHaveLength(1)
    expect(JSON.stringify(server.requests[0]?.body.tools)).toContain('"StructuredOutput"')
  })

  test('a wrong object is corrected after the reasons were told', async () => {
    const { server, backend } = await at([
      { toolCalls: [wrong], usage: { input: 10, output: 5 } },
      { toolCalls: [right], usage: { input: 20, output: 6 } },
    ])
    await using _ = server
    const { outcome, submitted } = await play(backend, { schema })
    expect(outcome).toMatchObject({
      status: 'ok',
      value: { line: 4 },
      usage: { input: 30, output: 11, toolUses: 2 },
    })
    expect(submitted).toEqual([wrong.input, right.input])
    expect(JSON.stringify(server.requests[1]?.body)).toMatch(/\/line must be integer/)
  })

  test('input that is not JSON counts as a submission and is told so', async () => {
    const { server, backend } = await at([
      { toolCalls: [{ name: 'StructuredOutput', input: '{"title": "T", "line": 1e999}' }] },
      { toolCalls: [right] },
    ])
    await using _ = server
    const { outcome, submitted } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { line: 4 } })
    expect(submitted).toHaveLength(2)
    expect(JSON.stringify(server.requests[1]?.body)).toContain('not valid JSON')
  })

  test('thoughts are signs of life, and go back with the next turn where they are signed', async () => {
    const { server, backend } = await at([
      { thinking: 'let me see', toolCalls: [wrong] },
      { toolCalls: [right] },
    ])
    await using _ = server
    const { events, outcome } = await play(backend, { schema })
    expect(outcome.status).toBe('ok')
    expect(
      events
        .filter(event => event.type === 'thinking')
        .map(event => event.text ?? '')
        .join(''),
    ).toBe('let me see')
    const messages = server.requests[1]?.body.messages as { role: string; content: unknown }[]
    const said = messages.find(message => message.role === 'assistant')
    if (wire === 'openai') expect(JSON.stringify(said)).not.toContain('let me see')
    else {
      expect(said?.content).toMatchObject([
        { type: 'thinking', thinking: 'let me see', signature: 'signature-1' },
        { type: 'tool_use', input: wrong.input },
      ])
    }
  })

  test('five wrong objects end it with schema_rejected', async () => {
    const { server, backend } = await at(nine({ toolCalls: [wrong] }))
    await using _ = server
    const { outcome } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'schema_rejected', lastInvalid: wrong.input })
    expect(server.requests).toHaveLength(5)
  })

  test('a turn without the tool gets one nudge that forces it', async () => {
    const { server, backend } = await at([{ text: 'The title is T.' }, { toolCalls: [right] }])
    await using _ = server
    const { outcome } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { line: 4 } })
    expect(JSON.stringify(server.requests[0]?.body.tool_choice)).toContain('auto')
    expect(JSON.stringify(server.requests[1]?.body.tool_choice)).toContain('StructuredOutput')
    expect(JSON.stringify(server.requests[1]?.body.messages)).toContain(
      'You have not called StructuredOutput',
    )
  })

  test('without the tool also then it ends with schema_not_called', async () => {
    const { server, backend } = await at([{ text: 'The title is T.' }, { text: 'I told you.' }])
    await using _ = server
    const { outcome } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'schema_not_called', lastText: 'I told you.' })
    expect(server.requests).toHaveLength(2)
  })

  test('a model that cannot be forced is asked once more without', async () => {
    const { server, backend } = await at([
      { text: 'T' },
      { error: { status: 400, type: 'invalid_request_error', message: 'tool_choice forces tool use' } },
      { toolCalls: [right] },
    ])
    await using _ = server
    const { outcome } = await play(backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok' })
    expect(JSON.stringify(server.requests[2]?.body.tool_choice)).toContain('auto')
  })

  test('a call of an unknown tool is answered, and turns are bounded by maxTurns', async () => {
    const { server, backend } = await at(nine({ toolCalls: [{ name: 'Bash', input: {} }] }))
    await using _ = server
    const { outcome } = await play(backend, { schema, maxTurns: 3 })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'max_turns' })
    expect(server.requests).toHaveLength(3)
    expect(JSON.stringify(server.requests[1]?.body)).toContain('There is no tool Bash')
  })

  test('an empty answer is no result', async () => {
    const { server, backend } = await at([{ text: '  \n' }])
    await using _ = server
    const { outcome } = await play(backend)
    expect(outcome).toMatchObject({ status: 'failed', cause: 'no_final_text' })
  })

  test('an answer cut off by its length is no result, but kept', async () => {
    const stop = wire === 'anthropic' ? 'max_tokens' : 'length'
    const { server, backend } = await at([{ text: 'Half of', stop, usage: { output: 4 } }])
    await using _ = server
    const { outcome } = await play(backend)
    expect(outcome).toMatchObject({ cause: 'context_overflow', lastText: 'Half of', usage: { output: 4 } })
  })

  test('a refusal is no result', async () => {
    const stop = wire === 'anthropic' ? 'refusal' : 'content_filter'
    const { server, backend } = await at([{ text: 'I cannot', stop }])
    await using _ = server
    const { outcome } = await play(backend)
    expect(outcome).toMatchObject({ status: 'failed', cause: 'refused' })
  })

  test('a stop in mid-stream closes the connection and keeps the text', async () => {
    const { server, backend } = await at([{ text: 'one two three four five six', hangAfter: 5 }])
    await using _ = server
    const { context, stop } = await stageFor()
    const execution = backend.start(callOf(), context)
    for await (const event of execution.events) if (event.type === 'text') stop.abort()
    expect(await execution.result).toMatchObject({
      status: 'failed',
      cause: 'stopped',
      lastText: expect.stringContaining('one'),
    })
    expect(await server.requests[0]?.ended).toBe('closed by client')
  })

  test('a stop while the endpoint has not answered yet ends at once', async () => {
    const { server, backend } = await at([{ text: 'never', delayMs: 60_000 }])
    await using _ = server
    const { context } = await stageFor()
    const execution = backend.start(callOf(), context)
    await waitFor(() => server.requests.length === 1)
    execution.cancel('enough')
    expect(await execution.result).toMatchObject({ cause: 'stopped' })
    expect(await server.requests[0]?.ended).toBe('closed by client')
  })

  test.each([['disconnectAfter'], ['endAfter']] as const)(
    'a connection lost in mid-stream is network (%s)',
    async how => {
      const { server, backend } = await at([{ text: 'one two three four', [how]: 4 }])
      await using _ = server
      const { outcome } = await play(backend)
      expect(outcome).toMatchObject({ status: 'failed', cause: 'network' })
      expect(outcome.status === 'failed' && outcome.lastText).toContain('one')
    },
  )

  test('a server that is not there is network', async () => {
    const { server, backend } = await at([])
    await server.close()
    const { outcome } = await play(backend)
    expect(outcome).toMatchObject({ cause: 'network', message: expect.stringContaining('ECONNREFUSED') })
  })

  test('the transcript has every message with its usage', async () => {
    const { server, backend } = await at([
      { text: 'hm', toolCalls: [wrong], usage: { input: 3, output: 2 } },
      { toolCalls: [right] },
    ])
    await using _ = server
    const { transcript } = await play(backend, { schema, prompt: 'Find it.' })
    expect(transcript.map(line => line.type)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(transcript[0]).toMatchObject({
      message: { role: 'user', content: [{ type: 'text', text: 'Find it.' }] },
    })
    expect(transcript[1]).toMatchObject({
      message: {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hm' },
          { type: 'tool_use', name: 'StructuredOutput', input: wrong.input },
        ],
        usage: { input_tokens: 3, output_tokens: 2 },
      },
      timestamp: expect.stringMatching(/^\d{4}-/),
    })
    expect(transcript[2]).toMatchObject({ message: { content: [{ type: 'tool_result', is_error: true }] } })
  })

  test('the credential goes to the endpoint and nowhere else', async () => {
    const leaky = { status: 401, type: 'authentication_error', message: `invalid key ${SECRET} given` }
    const { server, backend } = await at([{ error: leaky }, { text: 'fine', toolCalls: [right] }])
    await using _ = server
    const refused = await play(backend)
    const fine = await play(backend, { schema })
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(SECRET)
    expect(refused.outcome).toMatchObject({ cause: 'auth', message: expect.stringContaining('[redacted]') })
    expect(JSON.stringify([refused, fine])).not.toContain(SECRET)
  })

  test('effort and model of the call reach the endpoint', async () => {
    const { server, backend } = await at([{ text: 'x' }])
    await using _ = server
    const { events } = await play(backend, { model: 'quick', effort: 'low' })
    expect(server.requests[0]?.body.model).toBe('quick-model-1')
    expect(JSON.stringify(server.requests[0]?.body)).toContain('"low"')
    expect(events[0]).toEqual<AgentEvent>({ type: 'model', model: 'quick-model-1' })
  })
})

async function waitFor(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setImmediate(resolve))
}

function nine(reply: MockReply): MockReply[] {
  return Array.from({ length: 9 }, () => reply)
}
