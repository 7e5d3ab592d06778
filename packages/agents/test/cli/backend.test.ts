import type { JsonObject } from '@tutti/protocol'
import { SUBAGENT_NOTE } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import { createCliBackend, PROFILES } from '../../src/cli/index.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'
import { fakeBackend } from './fake-backend.ts'

const PRODUCTS = Object.keys(PROFILES)
const schema: JsonObject = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } }
const strict: JsonObject = { ...schema, additionalProperties: false }
const objects = (...list: object[]): string => `objects:${JSON.stringify(list)}`

describe.each(PRODUCTS)('%s', product => {
  test('tells its text, usage and session', async () => {
    using fake = fakeBackend(product, 'text')
    const { outcome, events } = await play(fake.backend, { prompt: 'Do it.' })
    expect(outcome).toMatchObject({
      status: 'ok',
      value: 'hello',
      sessionId: 'session-1',
      effects: 'none',
      usage: { input: 10, output: 5, exact: true },
    })
    expect(events.some(event => event.type === 'usage')).toBe(true)
  })

  test('gets the prompt on standard input, in the folder of the project', async () => {
    using fake = fakeBackend(product, 'text')
    await play(fake.backend, { prompt: '--help me' })
    const [call] = fake.calls()
    expect(call?.stdin).toContain('--help me')
    expect(call?.cwd).toContain('tutti-fake-')
    expect([call?.stdin, ...(call?.args ?? [])].join()).toContain(SUBAGENT_NOTE)
  })

  test('tells its tools', async () => {
    using fake = fakeBackend(product, 'tools')
    const { outcome, events } = await play(fake.backend)
    expect(outcome).toMatchObject({ status: 'ok', value: 'done', effects: 'yes', usage: { toolUses: 1 } })
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool_start', summary: 'ls -l' }))
    expect(events.filter(event => event.type === 'tool_end')).toHaveLength(1)
  })

  test('hands an object over', async () => {
    using fake = fakeBackend(product, objects({ n: 1 }))
    const { outcome } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
  })

  test('may correct an object', async () => {
    using fake = fakeBackend(product, objects({ n: 'one' }, { n: 1 }))
    const { outcome, submitted } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ status: 'ok', value: { n: 1 } })
    expect(submitted).toEqual([{ n: 'one' }, { n: 1 }])
  })

  test('is told once when there is no object, and then fails', async () => {
    using fake = fakeBackend(product, 'text')
    const { outcome } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'schema_not_called', lastText: 'hello' })
    const calls = fake.calls()
    expect(calls).toHaveLength(2)
    expect(calls[1]?.args).toContain('session-1')
  })

  test('fails with what it reports', async () => {
    using fake = fakeBackend(product, 'error:429 Too Many Requests')
    const { outcome } = await play(fake.backend)
    expect(outcome).toMatchObject({
      status: 'failed',
      cause: 'rate_limited',
      message: expect.stringContaining('429 Too Many Requests'),
    })
  })

  test('that ends in the middle has crashed, whatever it had said', async () => {
    using fake = fakeBackend(product, 'cut')
    const { outcome } = await play(fake.backend)
    expect(outcome).toMatchObject({ status: 'failed', cause: 'crashed', lastText: 'half an ans' })
  })

  test('passes the model on', async () => {
    using fake = fakeBackend(product, 'text', { models: { large: 'model-l' } })
    await play(fake.backend, { model: 'large' })
    expect(fake.calls()[0]?.args).toContain('model-l')
  })
})

test('an exhausted agent is ended after the fifth wrong object', async () => {
  using fake = fakeBackend('gemini', objects(...Array.from({ length: 9 }, (_, n) => ({ n: `${n}` }))))
  const { outcome, submitted } = await play(fake.backend, { schema })
  expect(outcome).toMatchObject({ cause: 'schema_rejected', lastInvalid: { n: '4' } })
  expect(submitted).toHaveLength(5)
})

test('codex gets schemas of the strict subset itself, and others through the tool', async () => {
  using native = fakeBackend('codex', objects({ n: 1 }))
  expect((await play(native.backend, { schema: strict })).outcome).toMatchObject({ value: { n: 1 } })
  expect(native.calls()[0]?.args).toContain('--output-schema')
  using tool = fakeBackend('codex', objects({ n: 1 }))
  expect((await play(tool.backend, { schema })).outcome).toMatchObject({ value: { n: 1 } })
  expect(tool.calls()[0]?.args).not.toContain('--output-schema')
})

test('claude gets the rules, the limit of turns and the tools', async () => {
  using fake = fakeBackend('claude', 'text', {
    permissions: { allow: ['Bash(ls:*)', 'Read'], deny: ['WebFetch'] },
  })
  await play(fake.backend, { maxTurns: 7, tools: ['Read', 'Grep'] })
  const line = fake.calls()[0]?.args.join(' ')
  expect(line).toContain('--allowedTools Bash(ls:*),Read')
  expect(line).toContain('--disallowedTools WebFetch')
  expect(line).toContain('--max-turns 7')
  expect(line).toContain('--tools Read,Grep')
})

test('an agent that may only read gets a sandbox that only lets it read', async () => {
  using fake = fakeBackend('codex', 'text')
  await play(fake.backend, { tools: ['Read', 'Grep'] })
  await play(fake.backend, { tools: ['Read', 'Bash'] })
  const [reading, writing] = fake.calls().map(call => call.args.join(' '))
  expect(reading).toContain('sandbox_mode="read-only"')
  expect(writing).toContain('sandbox_mode="workspace-write"')
})

test('models of agent types are only meant for their own vendor, unless the settings say more', async () => {
  const agentType = { name: 'reviewer', source: 'r.md', model: 'opus' }
  using claude = fakeBackend('claude', 'text')
  await play(claude.backend, { agentType })
  expect(claude.calls()[0]?.args).toContain('opus')
  using codex = fakeBackend('codex', 'text')
  await play(codex.backend, { agentType })
  expect(codex.calls()[0]?.args).not.toContain('opus')
  using mapped = fakeBackend('codex', 'text', { models: { opus: 'big-one' } })
  await play(mapped.backend, { agentType })
  expect(mapped.calls()[0]?.args).toContain('big-one')
})

test('a model that looks like an option is refused', async () => {
  using fake = fakeBackend('claude', 'text')
  const { outcome } = await play(fake.backend, { model: '--dangerously-skip-permissions' })
  expect(outcome).toMatchObject({ cause: 'invalid_request' })
})

test('turns are counted where the product does not do it', async () => {
  using fake = fakeBackend('opencode', 'turns')
  const { outcome } = await play(fake.backend, { maxTurns: 3 })
  expect(outcome).toMatchObject({ status: 'failed', cause: 'max_turns' })
})

test('claude reaching its turns is max_turns', async () => {
  using fake = fakeBackend('claude', 'error:max turns')
  expect((await play(fake.backend)).outcome).toMatchObject({ cause: 'max_turns' })
})

test.each([
  ['garbage', { cause: 'crashed', message: expect.stringContaining('<html>') }],
  ['silent', { cause: 'crashed' }],
  ['empty', { cause: 'no_final_text' }],
  ['kill', { cause: 'crashed', message: expect.stringContaining('SIGKILL') }],
  [
    'exit:3:segmentation fault',
    { cause: 'crashed', message: expect.stringContaining('exit code 3: segmentation') },
  ],
  ['exit:1:Not logged in. Please run /login', { cause: 'auth' }],
  ['exit:1:You have hit your usage limit', { cause: 'quota' }],
  ['exit:1:connect ECONNREFUSED 127.0.0.1:1', { cause: 'network' }],
  ['exit:1:Overloaded (529)', { cause: 'overloaded' }],
])('%s is told apart', async (wish, expected) => {
  using fake = fakeBackend('claude', wish)
  expect((await play(fake.backend)).outcome).toMatchObject({ status: 'failed', ...expected })
})

test('exit codes of a product have their meaning', async () => {
  using turns = fakeBackend('gemini', 'exit:53:')
  expect((await play(turns.backend)).outcome).toMatchObject({ cause: 'max_turns' })
  using auth = fakeBackend('gemini', 'exit:41:')
  expect((await play(auth.backend)).outcome).toMatchObject({ cause: 'auth' })
})

test('lines that are no events are passed over', async () => {
  using fake = fakeBackend('codex', 'chatter')
  expect((await play(fake.backend)).outcome).toMatchObject({ status: 'ok', value: 'hello' })
})

test('a command that is not there makes the backend unavailable', async () => {
  const backend = createCliBackend({
    profile: PROFILES['claude'] as never,
    command: 'no-such-agent',
    env: process.env,
    projectRoot: '/tmp',
  })
  expect((await play(backend)).outcome).toMatchObject({
    cause: 'backend_unavailable',
    effects: 'none',
    message: expect.stringContaining('not found'),
  })
})

test('keys of the environment do not get into messages', async () => {
  const env = { OPENAI_API_KEY: 'value-of-the-key-4711' }
  using fake = fakeBackend('codex', 'exit:1:bad key value-of-the-key-4711 or sk-abcdefgh12345', { env })
  const { outcome } = await play(fake.backend)
  expect(outcome).toMatchObject({ message: expect.not.stringMatching(/4711|sk-abc/) })
})

test('the product does not take itself for a part of the session around us', async () => {
  using fake = fakeBackend('claude', 'text', { env: { CLAUDECODE: '1', GIT_DIR: '/elsewhere', OWN: 'kept' } })
  await play(fake.backend)
  const env = fake.calls()[0]?.env
  expect(env).toMatchObject({ OWN: 'kept', NO_COLOR: '1' })
  expect(env).not.toHaveProperty('CLAUDECODE')
  expect(env).not.toHaveProperty('GIT_DIR')
})

test('a stubborn agent is killed', async () => {
  using fake = fakeBackend('claude', 'stubborn')
  const { context, stop } = await stageFor()
  const execution = fake.backend.start(callOf(), context)
  for await (const event of execution.events) if (event.type === 'model') stop.abort()
  expect(await execution.result).toMatchObject({ cause: 'stopped' })
})

test('writes a transcript', async () => {
  using fake = fakeBackend('claude', 'tools')
  const { transcript } = await play(fake.backend, { prompt: 'Do it.' })
  expect(transcript.map(line => line['type'])).toEqual(['user', 'assistant', 'assistant'])
})

describe('a command without a profile', () => {
  test('gets the prompt as it is and its output is the text', async () => {
    using fake = fakeBackend('plain', 'text')
    const { outcome } = await play(fake.backend, { prompt: 'Do it.' })
    expect(outcome).toMatchObject({ status: 'ok', value: 'hello', effects: 'unknown' })
    expect(fake.calls()[0]?.stdin).toBe('Do it.')
  })

  test('is told the schema, and once more when the object is wrong', async () => {
    using fake = fakeBackend('plain', objects({ n: 'one' }))
    const { outcome, submitted } = await play(fake.backend, { schema })
    expect(outcome).toMatchObject({ cause: 'schema_rejected', lastInvalid: { n: 'one' } })
    expect(submitted).toHaveLength(2)
    const [first, second] = fake.calls()
    expect(first?.stdin).toContain('JSON Schema')
    expect(second?.stdin).toContain('/n must be integer')
  })

  test('may take the prompt among its arguments, where it is no option', async () => {
    using fake = fakeBackend('plain', 'text', {
      profile: {
        command: 'x',
        args: ['--ask', '{prompt}'],
        prompt: 'argument',
        output: 'text',
        schema: 'text',
      },
    })
    await play(fake.backend, { prompt: '--version' })
    expect(fake.calls()[0]?.args).toEqual(['--ask', ' --version'])
  })
})
