import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockModel } from '@tutti-internal/mock-model'
import type { BackendSettings } from '@tutti/protocol'
import { expect, test } from 'vitest'
import { createBackends } from '../src/backends.ts'
import { PROFILES } from '../src/cli/index.ts'
import { createExecutor } from '../src/executor.ts'
import { FAKE_ACP } from './acp/fake-agent.ts'
import { FAKE } from './cli/fake-backend.ts'
import { play } from './stage/stage.ts'

const base = { env: { TUTTI_SIMULATE_SPEED: 'instant' }, projectRoot: tmpdir() }

test('the built-in backends are there, and one for each known product', () => {
  const names = Object.keys(createBackends(base))
  expect(names.slice(0, 4)).toEqual(['simulate', 'model', 'shell', 'scripted'])
  expect(names.filter(name => name.startsWith('cli:'))).toEqual(
    Object.keys(PROFILES).map(name => `cli:${name}`),
  )
})

test('simulate answers, at the speed of the environment', async () => {
  const executor = createExecutor({ backends: createBackends(base), default: 'simulate' })
  expect((await play(executor)).outcome).toMatchObject({ status: 'ok', simulated: true })
})

test('a scripted table is read from its file', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'tutti-table-')), 'table.json')
  await writeFile(file, JSON.stringify({ test: { ok: 'from the table' } }))
  const executor = createExecutor({ backends: createBackends(base), default: `scripted:${file}` })
  expect((await play(executor)).outcome).toMatchObject({ value: 'from the table' })
})

test('a missing or wrong table fails its agents, naming the file', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'tutti-table-')), 'table.json')
  await writeFile(file, JSON.stringify({ a: { okay: 1 } }))
  const executor = createExecutor({ backends: createBackends(base), default: 'simulate' })
  for (const [backend, reason] of [
    ['scripted:/nowhere.json', 'nowhere.json'],
    [`scripted:${file}`, 'exactly one of'],
    ['scripted', 'scripted:<file>'],
  ] as const) {
    expect((await play(executor, { backend })).outcome).toMatchObject({
      cause: 'backend_unavailable',
      message: expect.stringContaining(reason),
    })
  }
})

test('commands follow the permissions of the settings, or the option', async () => {
  const agentType = { name: 'shell', source: 'built-in' }
  const at = (more: object) =>
    createExecutor({ backends: createBackends({ ...base, ...more }), default: 'simulate' })
  const run = async (more: object) => (await play(at(more), { prompt: 'echo hi', agentType })).outcome
  expect(await run({})).toMatchObject({ cause: 'permission_denied' })
  expect(await run({ allowShell: true })).toMatchObject({ value: 'hi' })
  expect(await run({ settings: { permissions: { allow: ['Bash(echo:*)'] } } })).toMatchObject({ value: 'hi' })
})

test('a backend of the settings has its own environment and model', async () => {
  await using server = await startMockModel({ replies: [{ text: 'x' }] })
  const env = { OPENAI_API_KEY: 'key-of-the-test', OPENAI_BASE_URL: `${server.url}/v1` }
  const settings = {
    tutti: { backends: { local: { kind: 'model', env, model: 'small' } }, models: { small: 'small-2' } },
  } as const
  const executor = createExecutor({ backends: createBackends({ ...base, settings }), default: 'local' })
  expect((await play(executor)).outcome).toMatchObject({ status: 'ok', value: 'x' })
  expect(server.requests[0]?.body.model).toBe('small-2')
  expect(executor.backendOf({ agentType: { name: 'x', source: '' } })).toBe('local')
})

test('a backend of the settings without a command fails its agents only', async () => {
  const settings = { tutti: { backends: { odd: { kind: 'acp' }, own: { kind: 'cli' } } } } as const
  const executor = createExecutor({ backends: createBackends({ ...base, settings }), default: 'simulate' })
  expect((await play(executor)).outcome.status).toBe('ok')
  for (const backend of ['odd', 'own']) {
    expect((await play(executor, { backend })).outcome).toMatchObject({
      cause: 'backend_unavailable',
      message: expect.stringContaining(`tutti.backends.${backend}`),
    })
  }
})

test('a command that speaks the Agent Client Protocol is a backend of the settings', async () => {
  const env = { FAKE_WISH: 'text' }
  const own: BackendSettings = { kind: 'acp', command: FAKE_ACP, env }
  const settings = { tutti: { backends: { own } } }
  const executor = createExecutor({
    backends: createBackends({ ...base, env: { PATH: process.env['PATH'] }, settings }),
    default: 'own',
  })
  expect((await play(executor)).outcome).toMatchObject({ status: 'ok', value: 'hello' })
  expect(executor.capabilities('acp:opencode')).toMatchObject({ usage: 'estimate', isolation: true })
})

test('the command of another product is a backend of the settings', async () => {
  const env = { FAKE_PRODUCT: 'codex', FAKE_WISH: 'text' }
  const own: BackendSettings = { kind: 'cli', command: FAKE, profile: 'codex', env, args: ['--search'] }
  const settings = { tutti: { backends: { own } } }
  const executor = createExecutor({
    backends: createBackends({ ...base, env: { PATH: process.env['PATH'] }, settings }),
    default: 'own',
  })
  expect((await play(executor)).outcome).toMatchObject({
    status: 'ok',
    value: 'hello',
    sessionId: 'session-1',
  })
  expect(executor.capabilities('own')).toMatchObject({ usage: 'exact', isolation: true, maxTurns: false })
  expect(executor.capabilities('cli:claude')).toMatchObject({ maxTurns: true })
})
