import { describe, expect, it } from 'vitest'
import type { AgentCall, AgentOutcome, ExecutorCapabilities } from '../../src/ports/agent-executor.ts'
import { createStage, tally, type Stage } from '../support/stage.ts'
import { failing, recordingExecutor, treeOf, type RecordingExecutor } from '../support/recording-executor.ts'

type Recording = Stage & { recording: RecordingExecutor }

function stageOf(
  outcomeOf: (call: AgentCall) => Partial<AgentOutcome>,
  capabilities?: Partial<ExecutorCapabilities>,
): Recording {
  const recording = recordingExecutor(outcomeOf, capabilities)
  return { ...createStage({ executor: recording }), recording }
}

const crash = (call: AgentCall, more: Partial<AgentOutcome> = {}): Partial<AgentOutcome> =>
  call.attempt < 3 ? failing('crashed', { sessionId: `session-${call.attempt}`, ...more }) : {}

const continued = ({ recording }: Recording): unknown[] =>
  recording.calls.map(({ continueFrom }) => continueFrom?.sessionId)

describe('retries with continue', { timeout: 30_000 }, () => {
  it('go on with the conversation of the try before, which is told why it was interrupted', async () => {
    const stage = stageOf(call => crash(call))
    const end = await stage.run(
      `return await agent('work', { label: 'w', retries: { max: 2, continue: true } })`,
      {},
    )
    expect(end.value).toBe('w')
    expect(continued(stage)).toEqual([undefined, 'session-1', 'session-2'])
    expect(stage.recording.calls[1]).toMatchObject({
      prompt: 'work',
      continueFrom: {
        cause: 'crashed',
        message: expect.stringContaining('crashed: it was crashed'),
        required: false,
      },
    })
  })

  it.each([
    ['a number', '2', undefined],
    ['continue: false', '{ max: 2, continue: false }', undefined],
    ['a number in the long form', '{ max: 2 }', undefined],
    ['a backend that cannot', '{ max: 2, continue: true }', { continues: false }],
  ])('begin anew with %s', async (_, retries, capabilities) => {
    const stage = stageOf(call => crash(call), capabilities)
    expect((await stage.run(`return await agent('w', { label: 'w', retries: ${retries} })`, {})).value).toBe(
      'w',
    )
    expect(continued(stage)).toEqual([undefined, undefined, undefined])
  })

  it('begin anew after a try that left no session', async () => {
    const stage = stageOf(({ attempt }) => (attempt < 3 ? failing('crashed') : {}))
    await stage.run(`return await agent('w', { label: 'w', retries: { max: 2, continue: true } })`, {})
    expect(continued(stage)).toEqual([undefined, undefined, undefined])
  })

  it('stay in the worktree of the agent, and begin anew where that is gone', async () => {
    const stage = stageOf(call => crash(call, call.attempt === 1 ? { worktree: treeOf('one') } : {}))
    const options = `{ label: 'w', isolation: 'worktree', retries: { max: 2, continue: true } }`
    await stage.run(`return await agent('w', ${options})`, {})
    expect(continued(stage)).toEqual([undefined, 'session-1', undefined])
    const there = { from: { path: treeOf('one').path, base: 'abc' } }
    expect(stage.recording.calls.map(call => call.isolation)).toEqual(['worktree', there, 'worktree'])
  })

  it('without a number are as many as the cause is worth', async () => {
    const stage = stageOf(() => failing('crashed', { sessionId: 's' }))
    await stage.run(`return await agent('w', { retries: { continue: true } })`, {})
    expect(continued(stage)).toEqual([undefined, 's'])
  })

  it('are no part of the key', async () => {
    const stage = stageOf(() => ({}))
    const body = (retries: string): string => `return await agent('w', { label: 'w', retries: ${retries} })`
    await stage.run(body('1'), {})
    const end = await stage.again({}, { body: body('{ max: 3, continue: true }') })
    expect(tally(end)).toMatchObject({ cached: 1, dispatched: 0 })
  })

  it.each(['{}', '{ max: -1 }', '{ continue: 1 }', '{ max: 1, backoff: 2 }', '"2"', '[1]', 'null'])(
    'are refused as %s',
    async retries => {
      const stage = stageOf(() => ({}))
      const end = await stage.run(
        `try { await agent('w', { retries: ${retries} }) } catch (error) { return [error.code, error.message] }`,
        {},
      )
      expect(end.value).toEqual(['option-invalid', expect.stringContaining('"retries" must be')])
    },
  )
})

describe('the session of an agent that failed', { timeout: 30_000 }, () => {
  it('is in its row and, with the backend, in the journal', async () => {
    const stage = stageOf(() => failing('refused', { sessionId: 'abc' }))
    const end = await stage.run(`return await agent('w', { label: 'w' })`, {})
    expect(end.record.progress.at(-1)).toMatchObject({ sessionId: 'abc' })
    expect(stage.journal().find(line => line.type === 'failed')).toMatchObject({
      sessionId: 'abc',
      backend: 'recording',
    })
  })

  it('is known from its events where its end does not tell it', async () => {
    const stage = createStage()
    const handle = await stage.launch(`return await agent('w', { label: 'w' })`, {
      w: { hang: true, session: 'told-early' },
    })
    for await (const event of handle.events) if (event.type === 'agent' && 'sessionId' in event.row) break
    await handle.stop()
    expect(stage.journal().find(line => line.type === 'failed')).toMatchObject({
      cause: 'stopped',
      sessionId: 'told-early',
    })
  })
})

describe('a retry by hand with continue', { timeout: 30_000 }, () => {
  it('goes on with the conversation of the try that it ends', async () => {
    const stage = createStage()
    const handle = await stage.launch(`return await agent('w', { label: 'w' })`, {
      w: { transient: 'crashed', times: 0, then: { hang: true, session: 's-1' } },
    })
    let tries = 0
    const seen: (string | undefined)[] = []
    stage.executor.observe(event => {
      if (event.type !== 'started') return
      seen.push(event.call.continueFrom?.sessionId)
      if (++tries === 2) void handle.stop()
    })
    for await (const event of handle.events) if (event.type === 'agent' && 'sessionId' in event.row) break
    expect(handle.retry('w', { continue: true })).toBe(true)
    await handle.result
    expect(seen).toContain('s-1')
  })
})
