import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMockModel } from '@tutti-internal/mock-model'
import { expect, test } from 'vitest'
import { createBackends } from '../src/backends.ts'
import { createExecutor } from '../src/executor.ts'
import { play } from './stage/stage.ts'

const base = { env: { TUTTI_SIMULATE_SPEED: 'instant' }, projectRoot: tmpdir() }

test('the four built-in backends are there', () => {
  expect(Object.keys(createBackends(base))).toEqual(['simulate', 'model', 'shell', 'scripted'])
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

test('a kind of backend that this version lacks fails its agents only', async () => {
  const settings = { tutti: { backends: { codex: { kind: 'cli', command: 'codex' } } } } as const
  const executor = createExecutor({ backends: createBackends({ ...base, settings }), default: 'simulate' })
  expect((await play(executor)).outcome.status).toBe('ok')
  expect((await play(executor, { backend: 'codex' })).outcome).toMatchObject({
    cause: 'backend_unavailable',
    message: expect.stringContaining('tutti.backends.codex'),
  })
})
