import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/run/create-runtime.ts'
import type { ReplayPlan } from '../../src/run/plan-types.ts'
import type { ResumeOptions } from '../../src/run/types.ts'
import { createScriptedExecutor } from '../../src/testing/index.ts'
import { createStage, script, type Stage } from '../support/stage.ts'

async function plan(stage: Stage, runId: string, options: ResumeOptions = {}): Promise<ReplayPlan> {
  const executor = createScriptedExecutor({})
  const before = JSON.stringify([stage.journal(), await stage.store.load(runId)])
  const made = await createRuntime({ store: stage.store, executor }).plan(runId, options)
  expect(executor.dispatched()).toEqual({})
  expect(JSON.stringify([stage.journal(), await stage.store.load(runId)])).toBe(before)
  return made
}

const reasons = (made: ReplayPlan): [string, string][] => made.misses.map(miss => [miss.label, miss.reason])

describe('the plan of a resume', () => {
  it('of a finished run has only hits and knows what they had cost', async () => {
    const stage = createStage()
    const { runId } = await stage.run(`return await agent('a', { label: 'a' })`, {
      a: { ok: 1, outputTokens: 40 },
    })
    expect(await plan(stage, runId)).toMatchObject({
      hits: 1,
      misses: [],
      notReached: [],
      tokensSaved: 40,
      end: 'returned',
      value: 1,
    })
  })

  it('names what failed before, and stops where the script would wait', async () => {
    const stage = createStage()
    const body = `const r = await parallel([0, 1].map(i => () => agent('n' + i, { label: 'n' + i })))\nreturn await agent('join ' + r, { label: 'join' })`
    const { runId } = await stage.run(body, { n0: { ok: 0 }, n1: { die: 'refused' }, join: { ok: 'J' } })
    const made = await plan(stage, runId)
    expect(made).toMatchObject({
      hits: 1,
      end: 'waiting',
      misses: [{ label: 'n1', reason: 'failed before', cause: 'refused' }],
    })
    expect(made.notReached).toMatchObject([{ label: 'join' }])
  })

  it('of a retry has the call that is retried among what runs again, and does not count it as saved', async () => {
    const stage = createStage()
    const body = `return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`
    const { runId } = await stage.run(body, { '*': { ok: 1, outputTokens: 40 } })
    const made = await plan(stage, runId, { again: { call: 'b' } })
    expect([made.hits, made.tokensSaved, reasons(made)]).toEqual([1, 40, [['b', 'retried']]])
    await expect(plan(stage, runId, { again: { call: 'c' } })).rejects.toThrow(/has no call "c"/)
  })

  it('of a retry warns of a call that the script no longer asks for', async () => {
    const stage = createStage()
    const { runId } = await stage.run(`return await agent('a', { label: 'a' })`, { a: { ok: 1 } })
    const other = { source: script(`return 1`) }
    const made = await plan(stage, runId, { again: { call: 'a' }, script: other })
    expect(made.warnings).toEqual([expect.stringContaining('call "a" did not run again')])
  })

  it('says what changed against the nearest recorded call', async () => {
    const stage = createStage()
    const { runId } = await stage.run(
      `return await parallel([
        () => agent('check the first file', { label: 'a' }),
        () => agent('b', { label: 'b', model: 'small' }),
        () => agent('c', { label: 'c' }),
        () => agent('read every line of the long report', { label: 'd' }),
      ])`,
      { '*': { ok: 1 } },
    )
    const made = await plan(stage, runId, {
      script: {
        source: script(`return await parallel([
          () => agent('check the second file', { label: 'a' }),
          () => agent('b', { label: 'b', model: 'large' }),
          () => agent('c', { label: 'c', schema: { type: 'object' } }),
          () => agent('read every line of the short report', { label: 'other' }),
          () => agent('entirely unlike', { label: 'e' }),
        ])`),
      },
    })
    expect(reasons(made)).toEqual([
      ['a', 'prompt changed'],
      ['b', 'model changed'],
      ['c', 'schema changed'],
      ['other', 'prompt changed'],
      ['e', 'new'],
    ])
    expect(made.misses[0]?.nearest).toEqual({ label: 'a', prompt: 'check the first file' })
  })

  it('knows calls that were never finished, and calls that never take a record', async () => {
    const stage = createStage()
    const handle = await stage.launch(
      `await agent('n', { label: 'n', cache: 'never' })\nreturn await agent('h', { label: 'h' })`,
      { n: { ok: 1 }, h: { hang: true } },
    )
    for await (const event of handle.events) if (event.type === 'agent' && event.row.label === 'h') break
    await handle.stop()
    const made = await plan(stage, handle.runId)
    expect(reasons(made)).toEqual([['n', 'cache: never']])
    const content = await plan(stage, handle.runId, {
      script: { source: script(`return await agent('h', { label: 'h' })`) },
    })
    expect(reasons(content)).toEqual([['h', 'unfinished']])
  })
})

describe('the reason of a call that was never started', () => {
  it('is not said to be a change of a call that the script still makes', async () => {
    const stage = createStage({ limits: { concurrency: 1 } })
    const handle = await stage.launch(
      `return await parallel([0, 1, 2].map(i => () => agent('look at number ' + i, { label: 's' + i })))`,
      { s0: { hang: true } },
    )
    for await (const event of handle.events) if (event.type === 'agent') break
    stage.store.kill(handle.runId)
    const made = await plan(stage, handle.runId)
    expect(reasons(made)).toEqual([
      ['s0', 'unfinished'],
      ['s1', 'new'],
      ['s2', 'new'],
    ])
  })
})
