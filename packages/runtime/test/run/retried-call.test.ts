import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../src/ports/agent-executor.ts'
import type { RunHandle } from '../../src/run/types.ts'
import type { ScriptedTable } from '../../src/testing/index.ts'
import { createStage, tally, type Stage } from '../support/stage.ts'
import { failing, recordingExecutor, treeOf } from '../support/recording-executor.ts'

/** The program is killed when the record knows that of an agent. */
async function killedOnce(
  field: 'sessionId' | 'worktree',
  { stage, handle }: { stage: Stage; handle: RunHandle },
): Promise<void> {
  for await (const event of handle.events) if (event.type === 'agent' && field in event.row) break
  const record = handle.snapshot()
  stage.store.kill(handle.runId)
  const { writer } = await stage.store.open(handle.runId)
  await writer.writeRecord(record)
  await writer.close()
}

async function* streamOf(events: AgentEvent[]): AsyncIterable<AgentEvent> {
  yield* events
}

const THREE = `const seen = []
for (const label of ['a', 'b', 'c']) seen.push(await agent('say ' + label, { label }))
return seen`

const said = (value: string): ScriptedTable => ({ '*': { ok: value, effects: 'none' } })

describe('a call that is retried', { timeout: 30_000 }, () => {
  it('is dispatched again although it has a result; everything else is taken from the journal', async () => {
    const stage = createStage()
    await stage.run(THREE, said('old'))
    const end = await stage.again(said('new'), { again: { call: 'b' } })
    expect(tally(end)).toEqual({
      status: 'completed',
      value: ['old', 'new', 'old'],
      cached: 2,
      dispatched: 1,
    })
    expect(stage.executor.dispatched()).toEqual({ b: 1 })
    expect(tally(await stage.again({}))).toMatchObject({ value: ['old', 'new', 'old'], dispatched: 0 })
  })

  it('is the one of identical calls that was named by its number; the others keep their results', async () => {
    const stage = createStage()
    const body = `return await parallel([1, 2, 3].map(() => () => agent('same', { label: 'same' })))`
    const each = ['x', 'y', 'z'].map(value => ({ ok: value, effects: 'none' as const }))
    await stage.run(body, { same: each })
    const end = await stage.again(said('new'), { again: { call: 2 } })
    expect(tally(end)).toMatchObject({ value: ['x', 'new', 'z'], cached: 2, dispatched: 1 })
  })

  it('of several with that label is the one that did not end well', async () => {
    const stage = createStage()
    const body = `return await parallel([1, 2].map(n => () => agent('say ' + n, { label: 'say' })))`
    const ok = { ok: 'old', effects: 'none' as const }
    await stage.run(body, { say: [ok, { die: 'refused' }] })
    const end = await stage.again(said('new'), { again: { call: 'say' } })
    expect(tally(end)).toMatchObject({ value: ['old', 'new'], dispatched: 1 })
  })

  it.each([
    ['that is not there', 'd', /has no call "d".*a, b, c/],
    ['whose number is not there', 7, /has no call 7/],
  ])('%s is refused, and nothing is changed', async (_, call, message) => {
    const stage = createStage()
    const { runId } = await stage.run(THREE, said('old'))
    const before = JSON.stringify(await stage.store.load(runId))
    await expect(stage.again({}, { again: { call } })).rejects.toThrow(message)
    expect(JSON.stringify(await stage.store.load(runId))).toBe(before)
  })

  it('is refused by a label that several have, with their numbers', async () => {
    const stage = createStage()
    await stage.run(`for (const n of [1, 2]) await agent('say ' + n, { label: 'say' })`, said('old'))
    await expect(stage.again({}, { again: { call: 'say' } })).rejects.toMatchObject({
      code: 'option-invalid',
      message: expect.stringContaining('give the number of one: 1, 2'),
    })
  })

  it('that the script no longer asks for is told', async () => {
    const stage = createStage()
    await stage.run(THREE, said('old'))
    const end = await stage.again(
      {},
      { body: `return await agent('say a', { label: 'a' })`, again: { call: 'b' } },
    )
    expect(end.record.warnings).toEqual([expect.stringContaining('call "b" did not run again')])
  })
})

describe('a call that is continued', { timeout: 30_000 }, () => {
  const ask = `return await agent('work', { label: 'w' })`

  it('goes on with the session that its last failure left, and must', async () => {
    let attempts = 0
    const recording = recordingExecutor(() =>
      ++attempts === 1 ? failing('timeout', { sessionId: 's-1' }) : {},
    )
    const stage = createStage({ executor: recording })
    await stage.run(ask, {})
    const end = await stage.again({}, { again: { call: 'w', continue: true } })
    expect(tally(end)).toMatchObject({ status: 'completed', value: 'w', dispatched: 1 })
    expect(recording.calls[1]).toMatchObject({
      prompt: 'work',
      continueFrom: { sessionId: 's-1', cause: 'timeout', required: true },
    })
  })

  it('can be continued again when that failed before it had a session of its own', async () => {
    const left = ['s-1', undefined, 's-3']
    const recording = recordingExecutor(() => {
      const sessionId = left[recording.calls.length - 1]
      return failing('refused', sessionId === undefined ? {} : { sessionId })
    })
    const stage = createStage({ executor: recording })
    await stage.run(ask, {})
    for (let n = 0; n < 3; n++) await stage.again({}, { again: { call: 'w', continue: true } })
    expect(recording.calls.map(call => call.continueFrom?.sessionId)).toEqual([
      undefined,
      's-1',
      's-1',
      's-3',
    ])
  })

  it('goes on in its worktree', async () => {
    const recording = recordingExecutor(() => failing('refused', { sessionId: 's', worktree: treeOf('one') }))
    const stage = createStage({ executor: recording })
    await stage.run(`return await agent('work', { label: 'w', isolation: 'worktree' })`, {})
    await stage.again({}, { again: { call: 'w', continue: true } })
    expect(recording.calls[1]?.isolation).toEqual({ from: { path: treeOf('one').path, base: 'abc' } })
  })

  it('was running when its program was killed: the record knows its session', async () => {
    const stage = createStage()
    const handle = await stage.launch(ask, { w: { hang: true, session: 's-9' } })
    await killedOnce('sessionId', { stage, handle })
    const end = await stage.again({ w: { echo: true } }, { again: { call: 'w', continue: true } })
    expect(end.value).toContain('the program that ran you ended')
  })

  it('was in a worktree when its program was killed: the record knows that, too', async () => {
    const recording = recordingExecutor(() => ({}))
    const told: AgentEvent[] = [
      { type: 'session', sessionId: 's-9' },
      { type: 'worktree', worktree: { path: treeOf('one').path, base: 'abc' } },
    ]
    const start = recording.start
    recording.start = (call, context) => {
      const execution = start(call, context)
      if (recording.calls.length > 1) return execution
      return { ...execution, events: streamOf(told), result: new Promise<never>(() => {}) }
    }
    const stage = createStage({ executor: recording })
    const handle = await stage.launch(`return await agent('work', { label: 'w', isolation: 'worktree' })`, {})
    await killedOnce('worktree', { stage, handle })
    const end = await stage.again({}, { again: { call: 'w', continue: true } })
    expect(recording.calls[1]?.isolation).toEqual({ from: { path: treeOf('one').path, base: 'abc' } })
    expect(end.record.progress.find(row => row.type === 'workflow_agent')).not.toHaveProperty('worktree')
  })

  it.each([
    { who: 'that has ended well', outcome: {}, message: 'it has ended well' },
    { who: 'that left no session', outcome: failing('refused'), message: 'it left no session id' },
    {
      who: 'on a backend that cannot',
      outcome: failing('refused', { sessionId: 's' }),
      capabilities: { continues: false },
      message: 'cannot continue',
    },
  ])('$who is refused, and nothing is changed', async ({ outcome, capabilities, message }) => {
    const recording = recordingExecutor(() => outcome, capabilities)
    const stage = createStage({ executor: recording })
    const { runId } = await stage.run(ask, {})
    const before = JSON.stringify(await stage.store.load(runId))
    await expect(stage.again({}, { again: { call: 'w', continue: true } })).rejects.toMatchObject({
      code: 'cannot-continue',
      message: expect.stringContaining(message),
      hint: expect.stringContaining(`tutti retry ${runId}`),
    })
    expect(JSON.stringify(await stage.store.load(runId))).toBe(before)
  })

  it('whose worktree is gone is refused', async () => {
    const recording = recordingExecutor(() => failing('refused', { sessionId: 's' }))
    const stage = createStage({ executor: recording })
    await stage.run(`return await agent('work', { label: 'w', isolation: 'worktree' })`, {})
    await expect(stage.again({}, { again: { call: 'w', continue: true } })).rejects.toThrow(
      /worktree is gone/,
    )
  })
})
