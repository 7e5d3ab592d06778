import { join } from 'node:path'
import type { JsonObject } from '@tutti/protocol'
import { SUBAGENT_NOTE, systemClock, type Clock } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import { createAcpBackend } from '../../src/acp/index.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'
import { fakeAgent } from './fake-agent.ts'

const schema: JsonObject = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const objects = (...list: object[]): string => `objects:${JSON.stringify(list)}`

test('tells its text, usage and session', async () => {
  using fake = fakeAgent('text')
  const { outcome, events } = await play(fake.backend, { prompt: 'Do it.' })
  expect(outcome).toMatchObject({
    status: 'ok',
    value: 'hello',
    sessionId: 'session-1',
    effects: 'none',
    usage: { input: 10, output: 5, costUsd: 0.5, exact: true },
  })
  expect(events).toContainEqual({ type: 'usage', tokens: 15 })
  const prompt = fake.log().find(entry => 'prompt' in entry)?.['prompt']
  expect(prompt).toContain('Do it.')
  expect(prompt).toContain(SUBAGENT_NOTE)
})

test('its last message counts, and its tools are told', async () => {
  using fake = fakeAgent('tools')
  const { outcome, events, transcript } = await play(fake.backend)
  expect(outcome).toMatchObject({
    value: 'done',
    effects: 'yes',
    usage: { toolUses: 1, exact: false, costUsd: null },
  })
  expect(events).toContainEqual({ type: 'tool_start', name: 'execute', summary: 'ls -l' })
  expect(events).toContainEqual({ type: 'tool_end', name: 'execute' })
  expect(transcript.map(line => line['type'])).toEqual(['user', 'assistant', 'assistant', 'assistant'])
})

test('lines that are no messages are passed over', async () => {
  using fake = fakeAgent('chatter')
  expect((await play(fake.backend)).outcome).toMatchObject({ status: 'ok', value: 'hello' })
})

describe('an object', () => {
  test('comes through the tool, corrected if need be', async () => {
    using fake = fakeAgent(objects({ n: 'one' }, { n: 1 }))
    const { outcome, submitted } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
    expect(submitted).toHaveLength(2)
  })

  test('is asked for once more', async () => {
    using fake = fakeAgent('late')
    expect((await play(fake.backend, { schema })).outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
  })

  test('that never comes is schema_not_called', async () => {
    using fake = fakeAgent('text')
    const { outcome } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ cause: 'schema_not_called', lastText: 'hello' })
    expect(fake.log().filter(entry => 'prompt' in entry)).toHaveLength(2)
  })

  test('that is wrong five times ends the agent', async () => {
    using fake = fakeAgent(objects(...Array.from({ length: 9 }, (_, n) => ({ n: `${n}` }))))
    const { outcome, submitted } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ cause: 'schema_rejected', lastInvalid: { n: '4' } })
    expect(submitted).toHaveLength(5)
  })
})

describe('a model', () => {
  test('is chosen among those the agent offers', async () => {
    using fake = fakeAgent('text', { models: { large: 'model-l' } })
    await play(fake.backend, { model: 'large' })
    expect(fake.log()).toContainEqual({ set: 'lab/model-l' })
  })

  test('it does not offer is model_not_found, naming those it does', async () => {
    using fake = fakeAgent('text')
    expect((await play(fake.backend, { model: 'other' })).outcome).toMatchObject({
      cause: 'model_not_found',
      message: expect.stringContaining('lab/model-s'),
    })
    using fixed = fakeAgent('plain')
    expect((await play(fixed.backend, { model: 'other' })).outcome).toMatchObject({
      cause: 'model_not_found',
    })
  })
})

describe('permission', () => {
  const ask = async (toolCall: object, more: object = {}, context: object = {}): Promise<unknown> => {
    using fake = fakeAgent(`ask:${JSON.stringify(toolCall)}`, more)
    const { outcome, transcript } = await play(fake.backend, {}, context)
    expect(transcript.filter(line => line['type'] === 'permission')).toHaveLength(1)
    return outcome.status === 'ok' ? outcome.value : outcome
  }
  const command = (text: string): object => ({ kind: 'execute', title: text, rawInput: { command: text } })

  test('is given for reading, for once', async () => {
    expect(await ask({ kind: 'read', title: 'Read a' })).toBe('yes')
  })

  test('for commands follows the rules', async () => {
    const permissions = { allow: ['Bash(npm test:*)'], deny: ['Bash(rm:*)'] }
    expect(await ask(command('npm test'), { permissions })).toBe('yes')
    expect(await ask(command('npm test && rm -rf x'), { permissions })).toBe('no')
    expect(await ask(command('ls'), { permissions })).toBe('no')
  })

  test('is asked of whoever is there', async () => {
    const permission = async (): Promise<object> => ({ allowed: true, reason: 'a person said so' })
    expect(await ask(command('ls'), {}, { permission })).toBe('yes')
  })

  test('is given for edits below the working directory only', async () => {
    const edit = (path: string): object => ({ kind: 'edit', title: 'Edit', locations: [{ path }] })
    expect(await ask(edit('src/a.txt'))).toBe('yes')
    expect(await ask(edit('/etc/passwd'))).toBe('no')
    expect(await ask(edit('src/a.txt'), { permissions: { deny: ['Write(secret/**)'] } })).toBe('no')
  })

  test('is not given for what nobody knows, unless a rule does', async () => {
    const other = { kind: 'other', title: 'deploy', name: 'deploy' }
    expect(await ask(other)).toBe('no')
    expect(await ask(other, { permissions: { allow: ['deploy'] } })).toBe('yes')
  })

  test('is given for the tool of the result, whatever its prefix', async () => {
    expect(await ask({ kind: 'other', title: 'mcp_tutti_StructuredOutput' })).toBe('yes')
    expect(await ask({ kind: 'other', title: 'NotStructuredOutput' })).toBe('no')
  })

  test('is limited to the tools of the call', async () => {
    using fake = fakeAgent(`ask:${JSON.stringify(command('ls'))}`, { permissions: { allow: ['Bash'] } })
    const { outcome } = await play(fake.backend, { tools: ['Read'] })
    expect(outcome).toMatchObject({ value: 'no' })
  })
})

test.each([
  ['stop:max_tokens', { cause: 'context_overflow' }],
  ['stop:max_turn_requests', { cause: 'max_turns' }],
  ['stop:refusal', { cause: 'refused', lastText: 'partial' }],
  ['stop:cancelled', { cause: 'crashed' }],
  ['empty', { cause: 'no_final_text' }],
  [
    'write:x:or end',
    { cause: 'permission_denied', message: expect.stringContaining('not allowed Bash: no rule') },
  ],
  ['error:429 Too Many Requests', { cause: 'rate_limited' }],
  ['error:something odd', { cause: 'server_error', message: expect.stringContaining('something odd') }],
  ['auth', { cause: 'auth' }],
  ['version', { cause: 'crashed', message: expect.stringContaining('version') }],
  ['die', { cause: 'crashed', message: expect.stringContaining('SIGKILL'), lastText: 'half an ans' }],
  ['garbage', { cause: 'crashed', message: expect.stringContaining('<html>') }],
  ['exit:3:segmentation fault', { cause: 'crashed', message: expect.stringContaining('exit code 3') }],
  ['exit:1:Not logged in', { cause: 'auth' }],
])('%s is told apart', async (wish, expected) => {
  using fake = fakeAgent(wish)
  expect((await play(fake.backend)).outcome).toMatchObject({ status: 'failed', ...expected })
})

test('a command that is not there makes the backend unavailable', async () => {
  const backend = createAcpBackend({ command: 'no-such-agent', env: process.env, projectRoot: '/tmp' })
  expect((await play(backend)).outcome).toMatchObject({ cause: 'backend_unavailable', effects: 'none' })
})

test('a command that never answers does not speak the protocol', async () => {
  const real = systemClock()
  const clock: Clock = {
    now: real.now,
    timer: (ms, callback) => real.timer(ms >= 60_000 ? 200 : ms, callback),
  }
  using fake = fakeAgent('mute', { clock })
  expect((await play(fake.backend)).outcome).toMatchObject({
    cause: 'backend_unavailable',
    message: expect.stringContaining('ACP'),
  })
})

test.each(['hang', 'stubborn'])(
  'one that is stopped (%s) is told so, and ended within two seconds',
  async wish => {
    using fake = fakeAgent(wish)
    const { context, stop } = await stageFor()
    const execution = fake.backend.start(callOf(), context)
    for await (const event of execution.events) {
      if (event.type !== 'text') continue
      stop.abort()
      setTimeout(() => execution.cancel('test'), 1)
    }
    expect(await execution.result).toMatchObject({ cause: 'stopped', lastText: 'working' })
    expect(fake.log()).toContainEqual({ cancelled: true })
  },
)

test('it works in its own tree and below it', async () => {
  using fake = fakeAgent('text')
  const tree = join(fake.root, '..')
  await play(fake.backend, {}, { projectRoot: tree })
  expect(fake.log()[0]?.['cwd']).toBe(tree)
})
