import type { JsonValue } from '@tutti/protocol'
import { expect, test } from 'vitest'
import type { AgentCall, AgentOutcome } from '../../../src/ports/agent-executor.ts'
import { createScriptedExecutor, type ScriptedEvent } from '../../../src/testing/scripted/executor.ts'
import type { ScriptedTable } from '../../../src/testing/scripted/table.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { callOf, contextOf, eventsOf, schemaContext } from './stage.ts'

function run(table: ScriptedTable, label: string, given: Partial<AgentCall> = {}): Promise<AgentOutcome> {
  return createScriptedExecutor(table).start(callOf(label, given), contextOf()).result
}

const wantsNumber = (value: JsonValue): boolean => typeof (value as { x?: JsonValue }).x === 'number'

test('ok hands its value over as it is, with unknown effects and no tokens', async () => {
  expect(await run({ a: { ok: [1, null] } }, 'a')).toMatchObject({
    status: 'ok',
    value: [1, null],
    effects: 'unknown',
    usage: { input: 0, output: 0 },
  })
})

test('echo gives the prompt and reportModel the model of the call', async () => {
  expect(await run({ a: { echo: true } }, 'a', { prompt: 'hello' })).toMatchObject({ value: 'hello' })
  expect(await run({ a: { reportModel: true } }, 'a', { model: 'small' })).toMatchObject({
    value: 'small',
    model: 'small',
  })
  expect(await run({ a: { reportModel: true } }, 'a')).toMatchObject({ value: null })
})

test('die gives the cause and message, with tokens and effects of the entry', async () => {
  const table: ScriptedTable = {
    a: { die: 'refused', message: 'no', outputTokens: 700, effects: 'none' },
    b: { die: 'quota' },
  }
  expect(await run(table, 'a')).toMatchObject({
    status: 'failed',
    cause: 'refused',
    message: 'no',
    effects: 'none',
    usage: { output: 700 },
  })
  expect(await run(table, 'b')).toMatchObject({ cause: 'quota', message: expect.stringContaining('quota') })
})

test('a star answers for any other label', async () => {
  const table: ScriptedTable = { a: { ok: 'A' }, '*': { ok: 'rest' } }
  expect(await run(table, 'a')).toMatchObject({ value: 'A' })
  expect(await run(table, 'toString')).toMatchObject({ value: 'rest' })
})

test('a label without an entry fails, naming it, and is recorded', async () => {
  const executor = createScriptedExecutor({ a: { ok: 1 } })
  const outcome = await executor.start(callOf('constructor'), contextOf()).result
  expect(outcome).toMatchObject({
    status: 'failed',
    cause: 'backend_unavailable',
    message: expect.stringContaining('"constructor"'),
  })
  expect(executor.missing()).toEqual([expect.stringContaining('"constructor"')])
})

test('a list has one entry per dispatch; later tries of a call stay with its entry', async () => {
  const executor = createScriptedExecutor({
    r: [{ transient: 'network', times: 1, then: { ok: 'x' } }, { ok: 'y' }],
  })
  const start = (index: number, attempt: number): Promise<AgentOutcome> =>
    executor.start(callOf('r', { index, attempt }), contextOf()).result
  expect(await start(1, 1)).toMatchObject({ cause: 'network' })
  expect(await start(2, 1)).toMatchObject({ value: 'y' })
  expect(await start(1, 2)).toMatchObject({ value: 'x' })
  expect(await start(3, 1)).toMatchObject({ cause: 'backend_unavailable' })
  expect(executor.dispatched()).toEqual({ r: 3 })
  expect(executor.missing()).toHaveLength(1)
})

test('transients within transients count the tries of the call one after another', async () => {
  const table: ScriptedTable = {
    a: { transient: 'overloaded', times: 1, then: { transient: 'network', times: 2, then: { ok: 'A' } } },
  }
  const causes = []
  for (let attempt = 1; attempt <= 4; attempt++) {
    const outcome = await run(table, 'a', { attempt })
    causes.push(outcome.status === 'ok' ? outcome.value : outcome.cause)
  }
  expect(causes).toEqual(['overloaded', 'network', 'network', 'A'])
})

test('with a schema the value is submitted', async () => {
  const context = schemaContext(wantsNumber)
  const executor = createScriptedExecutor({ a: { ok: { x: 1 } } })
  expect(await executor.start(callOf('a'), context).result).toMatchObject({ status: 'ok', value: { x: 1 } })
  expect(context.submitted).toEqual([{ x: 1 }])
})

test('a wrong submission followed by a right one ends well', async () => {
  const context = schemaContext(wantsNumber)
  const executor = createScriptedExecutor({ a: { invalid: { x: '1' }, times: 1, then: { ok: { x: 1 } } } })
  expect(await executor.start(callOf('a'), context).result).toMatchObject({ status: 'ok', value: { x: 1 } })
  expect(context.submitted).toEqual([{ x: '1' }, { x: 1 }])
})

test('wrong submissions end when none is left, with the last of them', async () => {
  const context = schemaContext(wantsNumber)
  const executor = createScriptedExecutor({ a: { invalid: { x: '1' }, times: 99 } })
  expect(await executor.start(callOf('a'), context).result).toMatchObject({
    status: 'failed',
    cause: 'schema_rejected',
    lastInvalid: { x: '1' },
  })
  expect(context.submitted).toHaveLength(5)
})

test('a submission without a schema is a fault of the table', async () => {
  expect(await run({ a: { invalid: {}, times: 1 } }, 'a')).toMatchObject({ cause: 'invalid_request' })
})

test('afterMs, eventEveryMs and partial shape its course', async () => {
  const clock = createVirtualClock(0)
  const executor = createScriptedExecutor(
    { a: { ok: 'A', afterMs: 100, eventEveryMs: 30, partial: 'hm' } },
    { clock },
  )
  const execution = executor.start(callOf('a'), contextOf())
  const events = eventsOf(execution)
  await clock.advance(99)
  expect(clock.pending()).toBeGreaterThan(0)
  await clock.advance(1)
  expect(await execution.result).toMatchObject({ value: 'A', usage: { durationMs: 100 } })
  expect(await events).toEqual([
    { type: 'text', text: 'hm' },
    ...Array.from({ length: 3 }, () => ({ type: 'activity' })),
  ])
  expect(clock.pending()).toBe(0)
})

test('a hanging agent ends only by its signal, with the text so far', async () => {
  const clock = createVirtualClock(0)
  const stop = new AbortController()
  const executor = createScriptedExecutor(
    { t: { hang: true, partial: 'let me look', eventEveryMs: 10 } },
    { clock },
  )
  const execution = executor.start(callOf('t'), contextOf({ signal: stop.signal }))
  let ended = false
  void execution.result.then(() => (ended = true))
  await clock.advance(60_000)
  expect(ended).toBe(false)
  stop.abort()
  expect(await execution.result).toMatchObject({
    status: 'failed',
    cause: 'stopped',
    lastText: 'let me look',
  })
  expect(clock.pending()).toBe(0)
})

test('cancel ends an agent, and an aborted signal keeps it from starting', async () => {
  const executor = createScriptedExecutor({ '*': { hang: true } })
  const execution = executor.start(callOf('a'), contextOf())
  execution.cancel('enough')
  expect(await execution.result).toMatchObject({ cause: 'stopped' })
  expect(await executor.start(callOf('b'), contextOf({ signal: AbortSignal.abort() })).result).toMatchObject({
    cause: 'stopped',
  })
})

test('it counts dispatches and the most agents at once, and tells what happens', async () => {
  const clock = createVirtualClock(0)
  const executor = createScriptedExecutor({ '*': { echo: true, afterMs: 10 } }, { clock })
  const seen: string[] = []
  const leave = executor.observe((event: ScriptedEvent) => seen.push(`${event.type} ${event.label}`))
  const running = ['a', 'b'].map(label => executor.start(callOf(label), contextOf()).result)
  await clock.advance(10)
  await Promise.all(running)
  leave()
  const last = executor.start(callOf('c'), contextOf()).result
  await clock.advance(10)
  await last
  expect(seen).toEqual(['started a', 'started b', 'settled a', 'settled b'])
  expect(executor.maxInFlight()).toBe(2)
  expect(executor.dispatched()).toEqual({ a: 1, b: 1, c: 1 })
})

test('an agent that ends at once sets no timer', async () => {
  const clock = createVirtualClock(0)
  const executor = createScriptedExecutor({ a: { ok: 1, afterMs: 0 } }, { clock })
  const result = executor.start(callOf('a'), contextOf()).result
  expect(clock.pending()).toBe(0)
  expect(await result).toMatchObject({ value: 1 })
})

test('it is the backend "scripted" for every call', () => {
  const executor = createScriptedExecutor({})
  expect(executor.backendOf({ backend: 'other', agentType: callOf('a').agentType })).toBe('scripted')
  expect(executor.capabilities('scripted')).toMatchObject({ schema: 'loop', isolation: true })
})
