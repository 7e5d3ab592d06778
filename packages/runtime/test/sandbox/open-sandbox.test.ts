import { readFile } from 'node:fs/promises'
import type { JsonValue } from '@tutti/protocol'
import { expect, test } from 'vitest'
import { SandboxError, ScriptMemoryError } from '../../src/errors/errors.ts'
import { ENGINE_BUILD } from '../../src/sandbox/engine-build.ts'
import { openSandbox, prepareSandbox } from '../../src/sandbox/open-sandbox.ts'
import { META, openScript, runScript, startScript, valueOf } from './script-run.ts'

const OPTIONS = {
  run: { id: 'wf_00000000-000', startedAt: 1 },
  budgetTotal: null,
  entries: 10,
  scriptCpuMs: 1000,
  scriptMemoryMiB: 32,
}

test('a script runs from its first line when told to start, and waits for its agent', async () => {
  const sandbox = await openScript("const r = await agent('List them', { label: 'list' })\nreturn { r }")
  const started = await sandbox.deliver({ type: 'start' })
  expect(started).toEqual({
    effects: [
      {
        type: 'agent',
        id: 1,
        path: '',
        settled: false,
        prompt: 'List them',
        options: { label: 'list' },
        place: 'workflow.js:2:17',
      },
    ],
    state: { status: 'waiting' },
  })
  const ended = await sandbox.deliver({ type: 'resolve', id: 1, value: ['a', 'b'], spent: 0 })
  expect(ended).toEqual({ effects: [], state: { status: 'returned', value: { r: ['a', 'b'] } } })
})

test('meta is a constant of the script, and args, run and budget are as given and frozen', async () => {
  const value = await valueOf(
    `const attempts = [() => { args.deep.list.push(1) }, () => { run.id = 'x' }, () => { budget.total = 1 }]
     const frozen = attempts.map(f => { try { f(); return false } catch { return true } })
     return [meta.name, args, run, budget.total, budget.spent(), budget.remaining(), frozen]`,
    { args: { deep: { list: [1] } }, budgetTotal: 100 },
  )
  expect(value).toEqual([
    'test',
    { deep: { list: [1] } },
    { id: 'wf_00000000-000', startedAt: 1_700_000_000_000 },
    100,
    0,
    100,
    [true, true, true],
  ])
})

test('args are undefined when there are none, and null when they are null', async () => {
  expect(await valueOf('return typeof args')).toBe('undefined')
  expect(await valueOf('return args === null', { args: null })).toBe(true)
})

test('a budget without a total leaves infinity, and what was spent is known before anything runs', async () => {
  const sandbox = await openScript(
    "await agent('a')\nreturn [budget.total, budget.spent(), budget.remaining() === Infinity]",
  )
  await sandbox.deliver({ type: 'start' })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value: 1, spent: 42 })
  expect(state).toEqual({ status: 'returned', value: [null, 42, true] })
})

test('an overspent budget has nothing remaining', async () => {
  const sandbox = await openScript("await agent('a')\nreturn budget.remaining()", { budgetTotal: 10 })
  await sandbox.deliver({ type: 'start' })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value: 1, spent: 11 })
  expect(state).toEqual({ status: 'returned', value: 0 })
})

test('a script that returns nothing has no value', async () => {
  expect((await startScript('await null')).state).toEqual({ status: 'returned' })
})

test('text survives both ways: NUL, lone surrogates, line separators, long strings', async () => {
  const text = `a\0b \uD800 \u2028 \u{1F600} ${'x'.repeat(200_000)}`
  const { state, effects } = await runScript('return await agent(args)', ({ prompt }) => prompt, {
    args: text,
  })
  expect(effects[0]).toMatchObject({ prompt: text })
  expect(state).toEqual({ status: 'returned', value: text })
})

test('deliveries after the end change nothing', async () => {
  const sandbox = await openScript("agent('late').then(() => log('never')); return 7")
  expect((await sandbox.deliver({ type: 'start' })).state).toEqual({ status: 'returned', value: 7 })
  const after = await sandbox.deliver({ type: 'resolve', id: 1, value: 1, spent: 0 })
  expect(after).toEqual({ effects: [], state: { status: 'returned', value: 7 } })
})

test('a delivery for an id that nobody waits for is harmless', async () => {
  const sandbox = await openScript("return await agent('a')")
  await sandbox.deliver({ type: 'start' })
  const stray = await sandbox.deliver({ type: 'resolve', id: 99, value: 1, spent: 0 })
  expect(stray).toEqual({ effects: [], state: { status: 'waiting' } })
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value: 'x', spent: 0 })
  expect(state).toEqual({ status: 'returned', value: 'x' })
})

test('each delivery is pumped to the end before the next: A1 A2 B1 B2', async () => {
  const { state } = await runScript(
    `const order = []
     const two = async n => { await agent(n); order.push(n + 1); await null; order.push(n + 2) }
     await Promise.all([two('A'), two('B')])
     return order`,
    () => null,
  )
  expect(state).toEqual({ status: 'returned', value: ['A1', 'A2', 'B1', 'B2'] })
})

test('a prepared thread is opened once its script is known', async () => {
  const prepared = prepareSandbox()
  const sandbox = await prepared.open({ ...OPTIONS, source: `${META}return 1` })
  await prepared.discard()
  expect((await sandbox.deliver({ type: 'start' })).state).toEqual({ status: 'returned', value: 1 })
  await sandbox.terminate()
  await sandbox.terminate()
})

test('a prepared thread can be discarded', async () => {
  const prepared = prepareSandbox()
  await prepared.discard()
  await expect(prepared.open({ ...OPTIONS, source: META })).rejects.toThrow(SandboxError)
})

test('a terminated sandbox answers with an error', async () => {
  const sandbox = await openScript('return 1')
  await sandbox.terminate()
  await expect(sandbox.deliver({ type: 'start' })).rejects.toThrow(SandboxError)
})

test('ending a sandbox answers the delivery that is still open', async () => {
  const sandbox = await openScript('for (;;) {}', { scriptCpuMs: 600_000 })
  const open = sandbox.deliver({ type: 'start' })
  await sandbox.terminate()
  await expect(open).rejects.toThrow(SandboxError)
})

test('overlapping deliveries are refused', async () => {
  const sandbox = await openScript('for (;;) {}', { scriptCpuMs: 600_000 })
  const open = sandbox.deliver({ type: 'start' })
  await expect(sandbox.deliver({ type: 'start' })).rejects.toThrow('overlap')
  await sandbox.terminate()
  await expect(open).rejects.toThrow(SandboxError)
})

test('an engine that cannot be had is a sandbox error', async () => {
  const scriptMemoryMiB = 'much' as unknown as number
  await expect(openSandbox({ ...OPTIONS, source: META, scriptMemoryMiB })).rejects.toThrow(SandboxError)
})

test('memory that does not even hold the globals is a memory error', async () => {
  await expect(openSandbox({ ...OPTIONS, source: META, scriptMemoryMiB: 0.01 })).rejects.toThrow(
    ScriptMemoryError,
  )
})

test('two sandboxes know nothing of each other', async () => {
  const first = await openScript(
    "globalThis.mark = 1; Array.prototype.map = null; await agent('a'); return globalThis.mark",
  )
  const second = await openScript('return [typeof mark, [1].map(x => x + 1)]')
  await first.deliver({ type: 'start' })
  expect((await second.deliver({ type: 'start' })).state).toEqual({
    status: 'returned',
    value: ['undefined', [2]],
  })
  const { state } = await first.deliver({ type: 'resolve', id: 1, value: null, spent: 0 })
  expect(state).toEqual({ status: 'returned', value: 1 })
})

test('a result nested too deeply rejects its call', async () => {
  const sandbox = await openScript("try { await agent('a') } catch (e) { return [e.name, e.message] }")
  await sandbox.deliver({ type: 'start' })
  const value = JSON.parse('['.repeat(500_000) + ']'.repeat(500_000)) as JsonValue
  const { state } = await sandbox.deliver({ type: 'resolve', id: 1, value, spent: 0 })
  expect(state).toEqual({
    status: 'returned',
    value: ['RangeError', expect.stringContaining('nested too deeply')],
  })
})

test('the engine build names the versions that are installed', async () => {
  for (const name of ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync']) {
    const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
    expect(ENGINE_BUILD).toContain(`${name}@${version}`)
  }
})
