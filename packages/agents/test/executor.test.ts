import type { AgentCall, AgentExecution } from '@tutti/runtime'
import { expect, test } from 'vitest'
import type { Backend, BackendEntry } from '../src/backend.ts'
import { createExecutor } from '../src/executor.ts'
import { createExecution } from '../src/execution.ts'
import { noUsage } from '../src/outcome.ts'
import { callOf, play, stageFor } from './stage/stage.ts'

interface Fake {
  entry: BackendEntry
  loads: (string | undefined)[]
}

/** A backend that answers with its name. */
function fake(name: string, more: Partial<BackendEntry> = {}): Fake {
  const loads: (string | undefined)[] = []
  const start = (_: AgentCall, context: { signal: AbortSignal }): AgentExecution =>
    createExecution(context, async ({ emit }) => {
      emit({ type: 'text', text: name })
      return { status: 'ok', value: name, usage: noUsage(), effects: 'none' }
    })
  const load = async (argument: string | undefined): Promise<Backend> => {
    loads.push(argument)
    return { start }
  }
  const capabilities = { schema: 'loop', usage: 'exact', maxTurns: false, isolation: name === 'a' } as const
  return { loads, entry: { kind: 'simulate', capabilities, load, ...more } }
}

const shellType = { name: 'shell', source: 'built-in' }

test('a call runs on the backend it asks for, else on the default; nothing unused is loaded', async () => {
  const [a, b, c] = [fake('a'), fake('b'), fake('c')]
  const executor = createExecutor({ backends: { a: a.entry, b: b.entry, c: c.entry }, default: 'a' })
  expect((await play(executor)).outcome).toMatchObject({ value: 'a' })
  expect((await play(executor, { backend: 'b' })).outcome).toMatchObject({ value: 'b' })
  expect((await play(executor, { backend: 'b' })).events).toEqual([{ type: 'text', text: 'b' }])
  expect([a.loads.length, b.loads.length, c.loads.length]).toEqual([1, 1, 0])
})

test('agents that start while a backend is loading share one load', async () => {
  const a = fake('a')
  const executor = createExecutor({ backends: { a: a.entry }, default: 'a' })
  await Promise.all([play(executor), play(executor), play(executor)])
  expect(a.loads).toHaveLength(1)
})

test('commands run on shell, unless the backend answers for every type', async () => {
  const backends = {
    a: fake('a').entry,
    shell: fake('shell').entry,
    all: fake('all', { everyType: true }).entry,
  }
  const executor = createExecutor({ backends, default: 'a' })
  const agentType = shellType
  expect(executor.backendOf({ agentType })).toBe('shell')
  expect(executor.backendOf({ agentType, backend: 'a' })).toBe('shell')
  expect(executor.backendOf({ agentType, backend: 'all' })).toBe('all')
  expect(executor.backendOf({ agentType: { ...shellType, hash: 'h', source: 'shell.md' } })).toBe('a')
  expect((await play(executor, { agentType })).outcome).toMatchObject({ value: 'shell' })
})

test('the argument of a backend is no part of its name, and each argument is loaded once', async () => {
  const table = fake('table', { takesArgument: true })
  const executor = createExecutor({ backends: { a: fake('a').entry, table: table.entry }, default: 'a' })
  const { agentType } = callOf()
  expect(executor.backendOf({ backend: 'table:/x/y.json', agentType })).toBe('table')
  expect(executor.backendOf({ backend: 'table:C:\\z.json', agentType })).toBe('table')
  await play(executor, { backend: 'table:/x/y.json' })
  await play(executor, { backend: 'table:/x/y.json' })
  await play(executor, { backend: 'table:C:\\z.json' })
  expect(table.loads).toEqual(['/x/y.json', 'C:\\z.json'])
})

test('a name without its argument means the default with that name', async () => {
  const table = fake('table', { takesArgument: true })
  const executor = createExecutor({ backends: { table: table.entry }, default: 'table:f.json' })
  await play(executor, { backend: 'table' })
  expect(table.loads).toEqual(['f.json'])
})

test.each(['nope', 'constructor', 'a:b', ':', ''])(
  'the unknown backend "%s" is refused, listing the known ones',
  name => {
    const backends = { a: fake('a').entry, table: fake('t', { takesArgument: true }).entry }
    const executor = createExecutor({ backends, default: 'a' })
    const refusal = expect.objectContaining({
      code: 'option-invalid',
      message: expect.stringContaining('known: a, table:<file>'),
    })
    expect(() => executor.backendOf({ backend: name, agentType: callOf().agentType })).toThrowError(refusal)
    expect(() => executor.capabilities(name)).toThrowError(refusal)
    expect(() => createExecutor({ backends, default: name })).toThrowError(refusal)
  },
)

test('capabilities are known without loading', () => {
  const a = fake('a')
  const executor = createExecutor({ backends: { a: a.entry }, default: 'a' })
  expect(executor.capabilities('a')).toMatchObject({ isolation: true })
  expect(a.loads).toEqual([])
})

test('a backend that cannot be loaded fails its agents, naming the reason', async () => {
  const load = async (): Promise<Backend> => Promise.reject(new Error('no such module'))
  const executor = createExecutor({ backends: { a: { ...fake('a').entry, load } }, default: 'a' })
  expect((await play(executor)).outcome).toMatchObject({
    cause: 'backend_unavailable',
    message: 'backend "a" cannot be used: no such module',
  })
})

test('a stop while a backend is loading keeps the agent from starting', async () => {
  let finish: (backend: Backend) => void = () => {}
  const load = (): Promise<Backend> => new Promise(resolve => (finish = resolve))
  const executor = createExecutor({ backends: { a: { ...fake('a').entry, load } }, default: 'a' })
  const { context, stop } = await stageFor()
  const execution = executor.start(callOf(), context)
  stop.abort()
  finish({ start: () => Promise.reject(new Error('started')) as never })
  expect(await execution.result).toMatchObject({ cause: 'stopped' })
})
