import { describe, expect, it } from 'vitest'
import type { AgentCall, AgentOutcome } from '../../src/ports/agent-executor.ts'
import { createStage, tally, type Stage } from '../support/stage.ts'
import { failing, recordingExecutor, treeOf, type RecordingExecutor } from '../support/recording-executor.ts'

const WORK = `const fixed = await agent('fix', { label: 'fix', isolation: 'worktree' })\n`
const CHECK = `return await agent('check ' + fixed, { label: 'check', isolation: { from: 'fix' } })`

/** `fix` leaves a tree, everybody who continues there leaves it, too. */
function leaving(name: string): (call: AgentCall) => Partial<AgentOutcome> {
  return ({ isolation }) =>
    typeof isolation === 'object'
      ? { worktree: { ...treeOf('x'), path: isolation.from.path } }
      : { worktree: treeOf(name) }
}

function stageOf(
  outcomeOf: (call: AgentCall) => Partial<AgentOutcome>,
): Stage & { recording: RecordingExecutor } {
  const recording = recordingExecutor(outcomeOf)
  return { ...createStage({ executor: recording }), recording }
}

const isolationOf = ({ recording }: { recording: RecordingExecutor }): unknown[] =>
  recording.calls.map(call => call.isolation)

describe('isolation: { from }', { timeout: 30_000 }, () => {
  it('sends an agent into the worktree of the one with that label', async () => {
    const stage = stageOf(leaving('one'))
    expect(await stage.run(WORK + CHECK, {})).toMatchObject({ status: 'completed', value: 'check' })
    expect(isolationOf(stage)).toEqual(['worktree', { from: { path: treeOf('one').path, base: 'abc' } }])
  })

  it('takes what agent.settled() gave, or its worktree, which tells path, branch and files', async () => {
    const stage = stageOf(leaving('one'))
    const end = await stage.run(
      `const fix = await agent.settled('fix', { label: 'fix', isolation: 'worktree' })
       await agent('one', { label: 'one', isolation: { from: fix } })
       await agent('two', { label: 'two', isolation: { from: fix.worktree } })
       return fix.worktree`,
      {},
    )
    expect(end.value).toEqual(treeOf('one'))
    const there = { from: { path: treeOf('one').path, base: 'abc' } }
    expect(isolationOf(stage)).toEqual(['worktree', there, there])
  })

  it('replays whole, without a dispatch', async () => {
    const stage = stageOf(leaving('one'))
    await stage.run(WORK + CHECK, {})
    expect(tally(await stage.again({}))).toEqual({
      status: 'completed',
      value: 'check',
      cached: 2,
      dispatched: 0,
    })
    expect(stage.recording.calls).toHaveLength(2)
  })

  it('runs again when the agent it builds on ran again, although all that it says is the same', async () => {
    let attempt = 0
    const stage = stageOf(call => leaving(`tree-${attempt}`)(call))
    await stage.run(WORK + CHECK, {})
    attempt = 1
    const end = await stage.again({}, { again: { call: 'fix' } })
    expect(tally(end)).toMatchObject({ cached: 0, dispatched: 2 })
    expect(isolationOf(stage).at(-1)).toEqual({ from: { path: treeOf('tree-1').path, base: 'abc' } })
    expect(tally(await stage.again({}))).toMatchObject({ cached: 2, dispatched: 0 })
  })

  it('runs again when another agent has worked in the tree meanwhile', async () => {
    const stage = stageOf(leaving('one'))
    const body = `${WORK}const more = await agent('more', { label: 'more', isolation: { from: 'fix' } })
      return await agent('check', { label: 'check', isolation: { from: 'fix' } })`
    await stage.run(body, {})
    const end = await stage.again({}, { again: { call: 'more' } })
    expect(tally(end)).toMatchObject({ cached: 1, dispatched: 2 })
  })

  it('goes on in the tree that a fork has copied the result of', async () => {
    const stage = stageOf(leaving('one'))
    const first = await stage.run(WORK + CHECK, {})
    const { createRuntime } = await import('../../src/run/create-runtime.ts')
    const runtime = createRuntime({ store: stage.store, executor: stage.recording })
    const end = await (await runtime.fork(first.runId, { at: 'check' })).result
    expect(tally(end)).toMatchObject({ status: 'completed', cached: 1, dispatched: 1 })
  })

  it('is isolation_failed, before any dispatch, when the earlier agent left no changes', async () => {
    const stage = stageOf(() => ({}))
    const end = await stage.run(WORK + CHECK, {})
    expect(end.value).toBeNull()
    expect(end.record.failures).toMatchObject([
      { label: 'check', cause: 'isolation_failed', message: expect.stringContaining('left no changes') },
    ])
    expect(stage.recording.calls).toHaveLength(1)
    const settled = await stage.run(
      `const fix = await agent.settled('fix', { label: 'fix', isolation: 'worktree' })
       const check = await agent.settled('check', { isolation: { from: fix } })
       return [fix.worktree ?? 'none', check.cause]`,
      {},
    )
    expect(settled.value).toEqual(['none', 'isolation_failed'])
  })

  it('can be what a failed agent left', async () => {
    const stage = stageOf(({ label }) =>
      label === 'fix' ? failing('refused', { worktree: treeOf('one') }) : {},
    )
    const end = await stage.run(WORK + CHECK, {})
    expect(end.value).toBe('check')
  })

  it.each([
    ['a label that nobody had', `{ from: 'fixx' }`, 'no agent "fixx"'],
    ['an agent without a tree of its own', `{ from: 'plain' }`, 'had no worktree of its own'],
    ['a path that no agent of this run left', `{ from: { path: '/etc' } }`, 'is no worktree'],
    ['an object that says nothing', `{ from: {} }`, 'is no worktree'],
    ['further words', `{ from: 'fix', at: 'HEAD' }`, 'must be "worktree", or { from }'],
    ['an empty label', `{ from: '' }`, 'must be "worktree", or { from }'],
    ['nothing', `{}`, 'must be "worktree", or { from }'],
  ])('is refused for %s', async (_, isolation, message) => {
    const stage = stageOf(leaving('one'))
    const end = await stage.run(
      `${WORK}await agent('plain', { label: 'plain' })
       try { await agent('check', { isolation: ${isolation} }) } catch (error) { return [error.code, error.message] }`,
      {},
    )
    expect(end.value).toEqual(['option-invalid', expect.stringContaining(message)])
    expect(stage.recording.calls).toHaveLength(2)
  })

  it('is refused when several agents with trees of their own have that label', async () => {
    let trees = 0
    const stage = stageOf(() => ({ worktree: treeOf(`tree-${++trees}`) }))
    const end = await stage.run(
      `await parallel([1, 2].map(n => () => agent('fix ' + n, { label: 'fix', isolation: 'worktree' })))
       try { await agent('check', { isolation: { from: 'fix' } }) } catch (error) { return error.message }`,
      {},
    )
    expect(end.value).toContain('2 agents with worktrees of their own are called "fix"')
  })

  it('is refused for an agent that has not ended', async () => {
    const stage = stageOf(leaving('one'))
    const end = await stage.run(
      `const fixing = agent('fix', { label: 'fix', isolation: 'worktree' })
       const early = await agent('check', { isolation: { from: 'fix' } }).catch(error => error.message)
       await fixing
       return early`,
      {},
    )
    expect(end.value).toContain('await it first')
  })
})
