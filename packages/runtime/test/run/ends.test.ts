import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import type { RunEvent, RunHandle } from '../../src/run/types.ts'
import { createStage, script } from '../support/stage.ts'

/** Resolves when an event for which `wanted` holds has come. */
async function until(handle: RunHandle, wanted: (event: RunEvent) => boolean): Promise<void> {
  for await (const event of handle.events) if (wanted(event)) return
}

const running =
  (label: string) =>
  (event: RunEvent): boolean =>
    event.type === 'agent' && event.row.label === label && event.row.state === 'start'

describe('the end of a run', () => {
  it('tells what a script returned, and undefined when it returned nothing', async () => {
    expect(await createStage().run(`return { a: [1] }`, {})).toMatchObject({
      status: 'completed',
      value: { a: [1] },
    })
    expect(
      (await createStage().run(`await agent('a', { label: 'a' })`, { a: { ok: 1 } })).value,
    ).toBeUndefined()
  })

  it('is degraded when something failed, and failed when nothing worked', async () => {
    const body = `return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`
    const some = await createStage().run(body, { a: { ok: 1 }, b: { die: 'refused' } })
    expect(some).toMatchObject({ status: 'completed', degraded: true, value: [1, null] })
    const none = await createStage().run(body, { '*': { die: 'refused' } })
    expect(none).toMatchObject({
      status: 'failed',
      partialResult: [null, null],
      error: { code: 'all-agents-failed' },
    })
    expect(none.value).toBeUndefined()
  })

  it('does not fail for deaths the script asked about', async () => {
    const body = `return (await agent.settled('a', { label: 'a' })).cause`
    const end = await createStage().run(body, { a: { die: 'context_overflow' } })
    expect(end).toMatchObject({
      status: 'completed',
      value: 'context_overflow',
      record: { census: { failed: 1 } },
    })
  })

  it('records a stage that threw and drops only its item', async () => {
    const end = await createStage().run(
      `return await pipeline([1, 2], x => { if (x === 2) throw new Error('no'); return x })`,
      {},
    )
    expect(end).toMatchObject({ status: 'completed', degraded: true, value: [1, null] })
    expect(end.record.failures).toEqual([
      {
        kind: 'stage',
        index: 1,
        message: expect.stringMatching(/^pipeline\[1\] failed: no \(workflow\.js:2:\d+\)$/),
      },
    ])
  })

  it('waits for agents nobody awaited and says so', async () => {
    const stage = createStage()
    const end = await stage.run(`void agent('late', { label: 'late' })\nreturn 1`, {
      late: { ok: 1, afterMs: 20 },
    })
    expect(end).toMatchObject({ status: 'completed', value: 1, record: { census: { ok: 1 } } })
    expect(end.record.warnings.join()).toMatch(/still in flight.*"late"/)
  })

  it('waits for paid work also when the script threw, and resumes from it', async () => {
    const stage = createStage()
    const body = `const p = agent('slow', { label: 'slow' })\nif (!args) throw new Error('oops')\nreturn await p`
    const end = await stage.run(body, { slow: { ok: 'S', afterMs: 20 } })
    expect(end).toMatchObject({
      status: 'failed',
      error: { code: 'script-error' },
      record: { census: { ok: 1 } },
    })
    expect(end.error?.message).toMatch(/oops.*workflow\.js:3:/)
    expect(await stage.again({}, { args: {} })).toMatchObject({ value: 'S', dispatched: 0 })
  })

  it('is a deadlock at once when the script waits on nothing', async () => {
    const end = await createStage().run(`await new Promise(() => {})`, {})
    expect(end).toMatchObject({ status: 'failed', error: { code: 'deadlock' } })
  })

  it('is no deadlock while a timer ticks', async () => {
    const end = await createStage().run(`return await new Promise(r => setTimeout(() => r('t'), 5))`, {})
    expect(end.value).toBe('t')
  })

  it('carries the code of run-level errors through parallel', async () => {
    const stage = createStage({ limits: { concurrency: 1 } })
    const body = `return await parallel([0, 1, 2].map(i => () => agent('c' + i, { label: 'c' + i })))`
    const capped = await stage.run(body, { '*': { ok: 1 } }, { limits: { agents: 2 } })
    expect(capped).toMatchObject({
      status: 'failed',
      error: { name: 'AgentLimitError', code: 'agent-limit' },
    })
    const broke = await stage.run(
      body,
      { '*': { ok: 1, outputTokens: 60 } },
      { limits: { outputTokens: 100 } },
    )
    expect(broke).toMatchObject({ status: 'failed', error: { code: 'budget' }, dispatched: 2 })
    expect(await stage.again({ '*': { ok: 1 } }, { limits: { outputTokens: 500 } })).toMatchObject({
      status: 'completed',
      dispatched: 1,
    })
  })

  it('keeps the value a script caught its way to', async () => {
    const body = `try { await agent('a', { label: 'a', bad: 1 }) } catch (e) { return [e.name, e.code, e instanceof Error] }`
    expect((await createStage().run(body, {})).value).toEqual(['WorkflowInputError', 'option-invalid', true])
  })
})

describe('a stop', () => {
  it('is told at once, then every agent settles before the run does', async () => {
    const stage = createStage({ limits: { concurrency: 2 } })
    const handle = await stage.launch(
      `return await parallel(['a', 'b', 'c'].map(l => () => agent(l, { label: l })))`,
      { '*': { hang: true, partial: 'so far' } },
    )
    await until(handle, running('b'))
    const seen: RunEvent[] = []
    const reading = (async () => {
      for await (const event of handle.events) seen.push(event)
    })()
    const end = await handle.stop()
    await reading
    expect(end).toMatchObject({ status: 'killed', record: { census: { total: 3, stopped: 3, ok: 0 } } })
    const told = seen.findIndex(event => event.type === 'status')
    const rows = seen.slice(told).filter(event => event.type === 'agent')
    expect(rows.map(event => event.row.error)).toEqual([
      expect.stringMatching(/^subagent aborted: /),
      expect.stringMatching(/^subagent aborted: /),
    ])
    expect(stage.journal().filter(line => line.type === 'failed')).toHaveLength(3)
    expect(stage.journal().at(-1)).toMatchObject({ type: 'run_end', status: 'killed' })
    expect(stage.store.output(handle.runId)).toMatchObject({ status: 'killed', finished: [] })
    expect(await handle.stop()).toBe(end)
  })

  it('ends a script that spins, and agents that do not listen', async () => {
    const clock = createVirtualClock()
    const executor = {
      backendOf: () => 'deaf',
      capabilities: () => ({ schema: 'loop', usage: 'none', maxTurns: false, isolation: false }) as const,
      start: () => ({
        events: (async function* () {})(),
        result: new Promise<never>(() => {}),
        cancel: () => {},
      }),
    }
    const stage = createStage({ clock, executor })
    const handle = await stage.launch(`return await agent('a', { label: 'a' })`, {})
    await until(handle, running('a'))
    const stopping = handle.stop()
    await until(handle, event => event.type === 'status')
    await clock.advance(2000)
    expect(await stopping).toMatchObject({ status: 'killed', record: { census: { stopped: 1 } } })
  })

  it('leaves the run resumable, its finished agents paid for', async () => {
    const stage = createStage()
    const body = `return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`
    const handle = await stage.launch(body, { a: { ok: 'A' }, b: { hang: true } })
    await until(handle, event => event.type === 'agent' && event.row.state === 'done')
    await handle.stop()
    expect(stage.store.output(handle.runId)?.finished).toEqual([{ index: 1, label: 'a', preview: 'A' }])
    expect(await stage.again({ b: { ok: 'B' } })).toMatchObject({ value: ['A', 'B'], dispatched: 1 })
  })
})

describe('a skip', () => {
  it('ends one agent with null and is no failure', async () => {
    const stage = createStage()
    const handle = await stage.launch(
      `return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`,
      { a: { ok: 'A' }, b: { hang: true } },
    )
    await until(handle, running('b'))
    expect([handle.skip('nobody'), handle.skip('b')]).toEqual([false, true])
    expect(await handle.result).toMatchObject({
      status: 'completed',
      degraded: false,
      value: ['A', null],
      record: { census: { ok: 1, skipped: 1, failed: 0 }, failures: [] },
    })
  })

  it('reaches agents that are still queued, by index too', async () => {
    const stage = createStage({ limits: { concurrency: 1 } })
    const handle = await stage.launch(
      `return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`,
      { a: { hang: true } },
    )
    while (handle.snapshot().census.total < 2) await new Promise(setImmediate)
    expect([handle.skip(2), handle.skip('a')]).toEqual([true, true])
    const end = await handle.result
    expect(end).toMatchObject({ value: [null, null], dispatched: 1, record: { census: { skipped: 2 } } })
  })
})

describe('the circuit breaker', () => {
  it('pauses the run, lets agents in flight finish and hands nothing more over', async () => {
    const stage = createStage({ limits: { concurrency: 2 } })
    const body = `return await parallel(['q', 'slow', 'c'].map(l => () => agent(l, { label: l })))`
    const end = await stage.run(body, { q: { die: 'quota' }, slow: { ok: 'S', afterMs: 20 } })
    expect(end).toMatchObject({
      status: 'paused',
      pausedBy: 'quota',
      dispatched: 2,
      record: { census: { ok: 1 } },
    })
    expect(await stage.again({ '*': { echo: true } })).toMatchObject({
      status: 'completed',
      value: ['q', 'S', 'c'],
      dispatched: 2,
    })
  })
})

describe('a run whose journal cannot be written any more', () => {
  it('ends failed with the reason, and its agents end', async () => {
    const stage = createStage()
    const handle = await stage.launch(
      `return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`,
      { a: { ok: 1, afterMs: 30 }, b: { hang: true } },
    )
    await until(handle, running('b'))
    stage.store.failWrites(handle.runId, 'disk full')
    const end = await handle.result
    expect(end).toMatchObject({ status: 'failed', error: { code: 'journal-write-failed' } })
    const states = end.record.progress.map(row => row.type === 'workflow_agent' && row.state)
    expect(states).not.toContain('start')
  })
})

describe('tries within a call', () => {
  it('back off, and are shown', async () => {
    const clock = createVirtualClock()
    const stage = createStage({ clock })
    const handle = await stage.launch(`return await agent('a', { label: 'a' })`, {
      a: { transient: 'overloaded', times: 2, then: { ok: 'A' } },
    })
    await until(handle, event => event.type === 'agent' && event.row.lastAttemptReason === 'overloaded')
    await clock.advance(60_000)
    const end = await handle.result
    expect(end.value).toBe('A')
    expect(end.record.progress.find(row => row.type === 'workflow_agent')).toMatchObject({
      attempt: 3,
      lastAttemptReason: 'overloaded',
      state: 'done',
    })
    expect(stage.journal().filter(line => line.type === 'result')).toMatchObject([{ tries: 3 }])
  })

  it('end at the time limit of the call', async () => {
    const clock = createVirtualClock()
    const stage = createStage({ clock })
    const handle = await stage.launch(`return await agent('a', { label: 'a', timeoutMs: 5000 })`, {
      a: { hang: true },
    })
    await until(handle, running('a'))
    await clock.advance(5000)
    expect((await handle.result).record.failures).toMatchObject([{ label: 'a', cause: 'timeout' }])
  })

  it('treat silence as a stall, once more and then for good; events keep an agent alive', async () => {
    const clock = createVirtualClock()
    const stage = createStage({ clock, stallMs: 1000 })
    const handle = await stage.launch(
      `return await parallel(['quiet', 'busy'].map(l => () => agent(l, { label: l })))`,
      { quiet: { hang: true }, busy: { ok: 'B', afterMs: 5000, eventEveryMs: 900 } },
    )
    await until(handle, running('busy'))
    for (let i = 0; i < 60; i++) await clock.advance(100)
    const end = await handle.result
    expect(end.value).toEqual([null, 'B'])
    expect(end.record.failures).toMatchObject([{ label: 'quiet', cause: 'stalled' }])
    expect(stage.journal().find(line => line.type === 'failed')).toMatchObject({ tries: 2 })
  })
})

describe('two runs in one process', () => {
  it('do not touch each other', async () => {
    const spinning = createStage().run(`while (true) {}`, {}, { limits: { scriptCpuMs: 300 } })
    const fine = createStage().run(script(`return await agent('a', { label: 'a' })`), { a: { ok: 1 } })
    expect(await fine).toMatchObject({ status: 'completed', value: 1 })
    expect(await spinning).toMatchObject({ status: 'failed', error: { code: 'script-timeout' } })
  })
})

describe('a refused call nobody awaited', () => {
  it('is told in a warning', async () => {
    const end = await createStage().run(`const p = agent('')\nreturn 1`, {})
    expect(end).toMatchObject({ status: 'completed', value: 1 })
    expect(end.record.warnings.join()).toMatch(/nobody awaited.*non-empty string/)
  })
})
