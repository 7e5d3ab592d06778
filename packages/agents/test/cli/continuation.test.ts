import type { AgentContinuation } from '@tutti/runtime'
import { describe, expect, test } from 'vitest'
import { createBackends } from '../../src/backends.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'
import { fakeBackend } from './fake-backend.ts'

const continueFrom: AgentContinuation = {
  sessionId: 'session-7',
  cause: 'timeout',
  message: 'You were interrupted. Go on.',
  required: true,
}

describe.each([
  ['claude', ['--resume', 'session-7']],
  ['codex', ['resume', 'session-7']],
  ['gemini', ['--resume', 'session-7']],
  ['qwen', ['--resume', 'session-7']],
  ['opencode', ['-s', 'session-7']],
  ['codebuddy', ['--resume', 'session-7']],
])('%s', (product, words) => {
  test('goes on with a session, and is told the message instead of the prompt', async () => {
    using fake = fakeBackend(product, 'text')
    const { outcome } = await play(fake.backend, { prompt: 'Do it.', continueFrom })
    expect(outcome.status).toBe('ok')
    const [call] = fake.calls()
    expect(call?.args.join(' ')).toContain(words.join(' '))
    expect(call?.stdin).toBe('You were interrupted. Go on.')
  })

  test('tells its session as soon as it knows it, and leaves it when it is stopped', async () => {
    using fake = fakeBackend(product, 'hang')
    const { context, stop } = await stageFor()
    const execution = fake.backend.start(callOf(), context)
    const told: unknown[] = []
    for await (const event of execution.events) {
      if (event.type !== 'session') continue
      told.push(event.sessionId)
      stop.abort()
    }
    const outcome = await execution.result
    expect(outcome).toMatchObject({ status: 'failed', cause: 'stopped', sessionId: 'session-1' })
    expect(told).toEqual(['session-1'])
  })
})

describe('a session that cannot be continued', () => {
  test('fails the agent of a command that has no way to', async () => {
    using fake = fakeBackend('plain', 'text')
    const { outcome } = await play(fake.backend, { continueFrom })
    expect(outcome).toMatchObject({
      cause: 'invalid_request',
      message: expect.stringContaining('no way to go on'),
    })
    expect(() => fake.calls()).toThrow(/ENOENT/)
  })

  test('is not put where it could be an option', async () => {
    using fake = fakeBackend('claude', 'text')
    const { outcome } = await play(fake.backend, { continueFrom: { ...continueFrom, sessionId: '--help' } })
    expect(outcome).toMatchObject({ cause: 'invalid_request' })
  })

  test('lets the agent begin anew when it need not', async () => {
    using fake = fakeBackend('plain', 'text')
    await play(fake.backend, { prompt: 'Do it.', continueFrom: { ...continueFrom, required: false } })
    expect(fake.calls()[0]?.stdin).toContain('Do it.')
  })

  test('is kept by a try that fails before it tells one, for a reason that passes', async () => {
    using busy = fakeBackend('claude', 'exit:1:API Error: 529 overloaded')
    const { outcome } = await play(busy.backend, { continueFrom })
    expect(outcome).toMatchObject({ cause: 'overloaded', sessionId: 'session-7' })
    using unknown = fakeBackend('claude', 'exit:1:No conversation found with session ID')
    const lost = await play(unknown.backend, { continueFrom })
    expect(lost.outcome).toMatchObject({ cause: 'crashed' })
    expect(lost.outcome.sessionId).toBeUndefined()
  })
})

test('backends say whether they can continue conversations', () => {
  const settings = {
    tutti: {
      backends: {
        plain: { kind: 'cli' as const, command: 'x' },
        like: { kind: 'cli' as const, command: 'x', profile: { like: 'claude' } },
        own: { kind: 'cli' as const, command: 'x', profile: { args: [['--go-on', '{session}']] } },
        without: { kind: 'cli' as const, command: 'x', profile: { args: ['-p'] } },
      },
    },
  }
  const backends = createBackends({ env: {}, projectRoot: '/p', settings })
  const can = Object.entries(backends).filter(([, entry]) => entry.capabilities.continues === true)
  const names = can.map(([name]) => name)
  expect(names).toEqual(
    expect.arrayContaining(['model', 'scripted', 'cli:claude', 'cli:codex', 'acp:gemini', 'like', 'own']),
  )
  for (const name of ['simulate', 'shell', 'plain', 'without']) expect(names).not.toContain(name)
})
