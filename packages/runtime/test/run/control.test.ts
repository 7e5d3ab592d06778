import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/run/create-runtime.ts'
import type { RunEvent, RunHandle } from '../../src/run/types.ts'
import type { AgentExecutor, AgentOutcome } from '../../src/ports/agent-executor.ts'
import { noUsage } from '../../src/run/run-state.ts'
import type { ReusableCall, ReusableRun } from '../../src/ports/reusable-run.ts'
import { createScriptedExecutor } from '../../src/testing/index.ts'
import { createStage, script, tally } from '../support/stage.ts'

async function until(handle: RunHandle, wanted: (event: RunEvent) => boolean): Promise<void> {
  for await (const event of handle.events) if (wanted(event)) return
}

/** Its first try ends only when it is cancelled. */
const silentAtFirst: AgentExecutor = {
  backendOf: () => 'silent',
  capabilities: () => ({ schema: 'loop', usage: 'none', maxTurns: false, isolation: false }),
  start(call, context) {
    const ended: AgentOutcome = {
      status: 'failed',
      cause: 'stopped',
      message: 'cancelled',
      usage: noUsage(),
      effects: 'none',
    }
    const cancelled = new Promise<AgentOutcome>(resolve =>
      context.signal.addEventListener('abort', () => resolve(ended)),
    )
    const done: AgentOutcome = { status: 'ok', value: 'A', usage: noUsage(), effects: 'none' }
    return {
      events: (async function* () {})(),
      result: call.attempt === 1 ? cancelled : Promise.resolve(done),
      cancel: () => {},
    }
  },
}

describe('a retry by hand', () => {
  it('begins a new try of a running agent and does not count against its tries', async () => {
    const stage = createStage({ executor: silentAtFirst })
    const handle = await stage.launch(`return await agent('a', { label: 'a', retries: 0 })`, {})
    await until(handle, event => event.type === 'agent' && event.row.state === 'start')
    expect([handle.retry('b'), handle.retry('a')]).toEqual([false, true])
    expect(await handle.result).toMatchObject({ status: 'completed', value: 'A', dispatched: 1 })
  })
})

describe('a fork', () => {
  const body = `const a = await agent('a', { label: 'a' })\nconst b = await agent('b ' + a, { label: 'b' })\nreturn [a, b, await agent('c ' + b, { label: 'c' })]`

  it('starts from the results up to a call, and leaves the original as it was', async () => {
    const stage = createStage()
    const first = await stage.run(body, { '*': { echo: true } })
    const before = JSON.stringify(await stage.store.load(first.runId))
    const executor = createScriptedExecutor({ b: { ok: 'B' }, c: { ok: 'C' } })
    const handle = await createRuntime({ store: stage.store, executor }).fork(first.runId, { at: 'b' })
    const end = await handle.result
    expect(tally(end)).toEqual({ status: 'completed', value: ['a', 'B', 'C'], cached: 1, dispatched: 2 })
    expect(end.record).toMatchObject({
      forkedFrom: { runId: first.runId, at: 'b' },
      priorUsage: { output: 0 },
    })
    expect(end.runId).not.toBe(first.runId)
    expect(JSON.stringify(await stage.store.load(first.runId))).toBe(before)
  })

  it('takes everything when no call is named, large results too, and can be resumed', async () => {
    const stage = createStage()
    const large = 'x'.repeat(300_000)
    const first = await stage.run(`return (await agent('a', { label: 'a' })).length`, { a: { ok: large } })
    const runtime = createRuntime({ store: stage.store, executor: createScriptedExecutor({}) })
    const end = await (await runtime.fork(first.runId)).result
    expect(tally(end)).toMatchObject({ value: 300_000, cached: 1, dispatched: 0 })
    expect(tally(await (await runtime.resume(end.runId)).result)).toMatchObject({
      value: 300_000,
      dispatched: 0,
    })
  })

  it('keeps what identical calls had after several attempts', async () => {
    const stage = createStage()
    await stage.run(`return await parallel([1, 2].map(() => () => agent('roll', { label: 'r' })))`, {
      r: [{ die: 'refused' }, { ok: 'second' }],
    })
    const second = await stage.again({ r: { ok: 'again' } })
    const runtime = createRuntime({ store: stage.store, executor: createScriptedExecutor({}) })
    const end = await (await runtime.fork(second.runId)).result
    expect(tally(end)).toMatchObject({ value: ['second', 'again'], dispatched: 0 })
  })

  it('refuses a call the run does not have, by name, before anything is made', async () => {
    const stage = createStage()
    const first = await stage.run(body, { '*': { echo: true } })
    const runtime = createRuntime({ store: stage.store, executor: createScriptedExecutor({}) })
    await expect(runtime.fork(first.runId, { at: 'z' })).rejects.toThrow(/no call "z".*a, b, c/)
    expect(await stage.store.list()).toHaveLength(1)
  })
})

describe('results of another run', () => {
  const call = (change: Partial<ReusableCall>): ReusableCall => ({
    transcriptId: 'a0',
    prompt: 'p',
    result: 'old',
    hadSchema: false,
    complete: true,
    ...change,
  })
  const foreign = (...calls: ReusableCall[]): ReusableRun => ({
    source: '/x',
    product: 'claude-code',
    calls,
    problems: [],
  })

  it('are taken over by prompt and known options, journalled, and cost nothing', async () => {
    const stage = createStage()
    const body = `return await parallel([
      () => agent('p', { label: 'x' }),
      () => agent('q', { label: 'y', schema: { type: 'object', required: ['n'] } }),
      () => agent('new', { label: 'z' }),
    ])`
    const reuse = foreign(call({}), call({ prompt: 'q', hadSchema: true, result: { n: 1 } }))
    const end = await stage.run(body, { z: { ok: 'Z' } }, { reuse })
    expect(tally(end)).toEqual({
      status: 'completed',
      value: ['old', { n: 1 }, 'Z'],
      cached: 2,
      dispatched: 1,
    })
    expect(stage.journal().filter(line => line.type === 'result' && line.origin !== undefined)).toHaveLength(
      2,
    )
    expect(tally(await stage.again({}))).toMatchObject({ value: end.value, dispatched: 0 })
  })

  it('are not guessed: what does not fit is run, and listed with the reason', async () => {
    const stage = createStage()
    const body = `return await parallel([
      () => agent('p', { label: 'x', schema: { type: 'object' } }),
      () => agent('q', { label: 'y', model: 'large' }),
      () => agent('r', { label: 'z', schema: { type: 'object', required: ['n'] } }),
    ])`
    const reuse = foreign(
      call({ label: 'text' }),
      call({ prompt: 'q', model: 'small', label: 'model' }),
      call({ prompt: 'r', hadSchema: true, result: {}, label: 'schema' }),
      call({ prompt: 'nobody', label: 'unasked' }),
      call({ prompt: 'r', complete: false }),
    )
    const end = await stage.run(body, { x: { ok: {} }, y: { ok: 1 }, z: { ok: { n: 1 } } }, { reuse })
    expect(end.dispatched).toBe(3)
    const [warning = ''] = end.record.warnings
    expect(warning).toMatch(/4 results/)
    expect(warning).toMatch(/text.*has a schema/)
    expect(warning).toMatch(/model.*small.*large/)
    expect(warning).toMatch(/schema.*does not match/)
    expect(warning).toMatch(/unasked.*no call/)
  })
})

describe('an estimate', () => {
  it('counts the agents a script starts before it waits, and what past runs took', async () => {
    const stage = createStage()
    const body = `phase('P')\nawait parallel([1, 2, 3].map(i => () => agent('n' + i, { label: 'n' + i })))\nreturn await agent('last', { label: 'last' })`
    const executor = createScriptedExecutor({})
    const runtime = createRuntime({ store: stage.store, executor })
    const first = await runtime.estimate({ source: script(body) })
    expect(first).toMatchObject({ name: 'case', end: 'waiting' })
    expect(first.firstAgents).toEqual(['n1', 'n2', 'n3'].map(label => ({ label, phase: 'P' })))
    expect(first.past).toBeUndefined()
    await stage.run(body, { '*': { ok: 1, outputTokens: 5 } })
    expect(await runtime.estimate({ source: script(body) })).toMatchObject({
      past: { runs: 1, agents: 4, tokens: 20 },
    })
    expect(executor.dispatched()).toEqual({})
    expect(await stage.store.list()).toHaveLength(1)
  })
})

describe('a fork of a run with timers', () => {
  const body = `
    const sleep = new Promise(resolve => setTimeout(() => resolve('timer'), 10))
    const winner = await Promise.race([sleep, agent('slow', { label: 'slow' })])
    const t = await agent(winner === 'timer' ? 'T' : 'S', { label: 'branch' })
    return [winner, t, await agent('last', { label: 'last' })]`
  const table = { slow: { ok: 's', afterMs: 60 }, '*': { echo: true } } as const

  it('takes the branch the run took', async () => {
    const stage = createStage()
    const first = await stage.run(body, table)
    expect(first.value).toEqual(['timer', 'T', 'last'])
    const executor = createScriptedExecutor({ last: { ok: 'L' } })
    const end = await (
      await createRuntime({ store: stage.store, executor }).fork(first.runId, { at: 'last' })
    ).result
    expect(end.value).toEqual(['timer', 'T', 'L'])
    expect(executor.dispatched()).toEqual({ last: 1 })
  })

  it('also when a later attempt came to nothing', async () => {
    const stage = createStage()
    const first = await stage.run(body, table)
    await stage.again({}, { body: `throw new Error('broken')` })
    const executor = createScriptedExecutor({})
    const runtime = createRuntime({ store: stage.store, executor })
    const end = await (await runtime.fork(first.runId, { script: { source: script(body) } })).result
    expect(tally(end)).toMatchObject({ value: ['timer', 'T', 'last'], dispatched: 0 })
  })
})

describe('imported results', () => {
  it('belong to the run also when the script never came to them', async () => {
    const stage = createStage()
    const body = `return await Promise.race([agent('A', { label: 'a' }), agent('B', { label: 'b' })])`
    const calls = ['A', 'B'].map((prompt, i) => ({
      transcriptId: `a${i}`,
      prompt,
      result: prompt,
      hadSchema: false,
      complete: true,
    }))
    const reuse = { source: '/x', product: 'tutti' as const, calls, problems: [] }
    expect(tally(await stage.run(body, {}, { reuse }))).toMatchObject({
      value: 'A',
      cached: 2,
      dispatched: 0,
    })
    expect(tally(await stage.again({}))).toMatchObject({ value: 'A', cached: 2, dispatched: 0 })
  })
})

describe('the cache mode of a run', () => {
  it('is kept on resume, so that what finished under it replays whole', async () => {
    const stage = createStage()
    const body = `await agent('fix', { label: 'fix' })\nreturn await agent('test', { label: 'test' })`
    await stage.run(body, { fix: { die: 'refused' }, test: { ok: 'red' } })
    await stage.again({ fix: { ok: 1 } }, { cache: 'content' })
    expect(tally(await stage.again({}))).toMatchObject({ value: 'red', cached: 2, dispatched: 0 })
  })
})

describe('a store that lost things', () => {
  it('does not let an ended run with an empty journal be paid for again', async () => {
    const stage = createStage()
    const first = await stage.run(`return await agent('a', { label: 'a' })`, { a: { ok: 1 } })
    const store = {
      ...stage.store,
      open: async (runId: string) => {
        const opened = await stage.store.open(runId)
        return { ...opened, run: { ...opened.run, journal: [] } }
      },
    }
    const runtime = createRuntime({ store, executor: createScriptedExecutor({}) })
    await expect(runtime.resume(first.runId)).rejects.toMatchObject({ code: 'journal-unreadable' })
    expect(tally(await stage.again({}))).toMatchObject({ value: 1, dispatched: 0 })
  })

  it('lets a fork run an agent again whose large result is gone', async () => {
    const stage = createStage()
    const first = await stage.run(`return (await agent('a', { label: 'a' })).length`, {
      a: { ok: 'x'.repeat(300_000) },
    })
    const store = { ...stage.store, readBlob: () => Promise.reject(new Error('gone')) }
    const runtime = createRuntime({ store, executor: createScriptedExecutor({ a: { ok: 'yy' } }) })
    const end = await (await runtime.fork(first.runId)).result
    expect(tally(end)).toMatchObject({ value: 2, dispatched: 1 })
    expect(end.record.warnings.join()).toMatch(/"a" is gone/)
  })
})
