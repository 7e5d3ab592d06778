import type { AgentContinuation } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import { play } from '../stage/stage.ts'
import { fakeAgent, type FakeAgent } from './fake-agent.ts'

const continueFrom: AgentContinuation = {
  sessionId: 'session-7',
  cause: 'timeout',
  message: 'You were interrupted. Go on.',
  required: true,
}

const agentThat = (goesOn: string): FakeAgent => fakeAgent('text', { env: { FAKE_GOES_ON: goesOn } })

describe('an agent of the protocol', () => {
  test('that can resume sessions goes on with one, and is told the message', async () => {
    using fake = agentThat('resume load')
    const { outcome, events } = await play(fake.backend, { prompt: 'Do it.', continueFrom })
    expect(outcome).toMatchObject({ status: 'ok', value: 'hello', sessionId: 'session-7' })
    expect(events).toContainEqual({ type: 'session', sessionId: 'session-7' })
    expect(fake.log()).toEqual([
      { resume: 'session-7', cwd: fake.root },
      { prompt: 'You were interrupted. Go on.' },
    ])
  })

  test('that can load sessions does so; what it tells of before is not its answer', async () => {
    using fake = agentThat('load')
    const { outcome, events, transcript } = await play(fake.backend, { prompt: 'Do it.', continueFrom })
    expect(outcome).toMatchObject({ status: 'ok', value: 'hello', effects: 'none', usage: { toolUses: 0 } })
    expect(JSON.stringify([events, transcript])).not.toMatch(/old answer|rm x/)
    expect(fake.log()[0]).toEqual({ load: 'session-7', cwd: fake.root })
  })

  test('that announces neither fails when it must go on, and begins anew when it need not', async () => {
    using fake = agentThat('')
    const must = await play(fake.backend, { prompt: 'Do it.', continueFrom })
    expect(must.outcome).toMatchObject({
      status: 'failed',
      cause: 'invalid_request',
      message: expect.stringContaining('does not announce'),
    })
    expect(fake.log()).toEqual([])
    const need = await play(fake.backend, {
      prompt: 'Do it.',
      continueFrom: { ...continueFrom, required: false },
    })
    expect(need.outcome).toMatchObject({ status: 'ok', sessionId: 'session-1' })
    expect(fake.log().at(-1)).toEqual({ prompt: expect.stringContaining('Do it.') })
  })

  test('that does not know the session fails when it must go on, and begins anew when it need not', async () => {
    using fake = agentThat('load')
    const lost = { ...continueFrom, sessionId: 'unknown' }
    const must = await play(fake.backend, { continueFrom: lost })
    expect(must.outcome).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('no such session'),
    })
    const need = await play(fake.backend, { continueFrom: { ...lost, required: false } })
    expect(need.outcome).toMatchObject({ status: 'ok', sessionId: 'session-1' })
  })
})
