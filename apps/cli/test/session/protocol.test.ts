import { checkFrames, splitLines } from '@tutti-internal/frame-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { TWO_AGENTS } from '../support/sandbox-project.ts'
import { createSessionProject, STREAM, type SessionProject, type Talk } from './support/session-project.ts'
import { userLine } from './support/typed-input.ts'

vi.setConfig({ testTimeout: 30_000 })

let project: SessionProject
afterEach(() => project.remove())

const order = (talk: Talk): string[] => talk.frames().map(({ type, subtype }) => subtype ?? type)

function control(requestId: string, request: object): object {
  return { type: 'control_request', request_id: requestId, request }
}

describe('a session that speaks the protocol', () => {
  test('answers turn by turn and ends with its input', async () => {
    project = await createSessionProject([{ text: 'one' }, { text: 'two' }])
    const talk = project.talk([...STREAM, '--verbose', '--permission-mode', 'default'])
    talk.input.send(control('i', { subtype: 'initialize' }))
    talk.input.send(userLine('first'))
    await talk.seen('result')
    talk.input.send(userLine('second'))
    talk.input.end()
    expect(await talk.code).toBe(0)
    expect(order(talk)).toEqual([
      'control_response',
      'init',
      'assistant',
      'success',
      'init',
      'assistant',
      'success',
    ])
    const [answer] = talk.frames()
    expect(answer).toMatchObject({ response: { subtype: 'success', request_id: 'i' } })
  })

  test('takes flags before the words of its host', async () => {
    project = await createSessionProject([{ text: 'one' }])
    const agents = '{"poet":{"description":"Rhymes","prompt":"Answer in rhymes."}}'
    const talk = project.talk([
      ...STREAM,
      '--agents',
      agents,
      '--agent=poet',
      '--tools=',
      '--append-system-prompt=Briefly.',
    ])
    talk.input.send(userLine('first'))
    talk.input.end()
    expect(await talk.code).toBe(0)
    const body = project.model.requests[0]?.body
    expect(JSON.stringify(body?.['system'])).toMatch(/Answer in rhymes\..*Briefly\./)
    expect(JSON.stringify(body?.['tools'])).not.toContain('"Bash"')
    expect(await talk.seen('system', 'init')).toMatchObject({
      agents: expect.arrayContaining(['poet']) as unknown,
    })
  })

  test('lists each agent type once, whoever defined it', async () => {
    project = await createSessionProject([{ text: 'one' }])
    const poet = { description: 'Rhymes', prompt: 'Answer in rhymes.' }
    const talk = project.talk([...STREAM, '--agents', JSON.stringify({ poet, critic: poet })])
    talk.input.send(control('i', { subtype: 'initialize', agents: { poet, singer: poet } }))
    talk.input.send(userLine('first'))
    talk.input.end()
    await talk.code
    const agents = (await talk.seen('system', 'init'))['agents'] as string[]
    expect(agents).toEqual([...new Set(agents)])
    expect(agents).toEqual(expect.arrayContaining(['poet', 'critic', 'singer', 'shell']))
  })

  test('names an agent type that is not there, and those that are', async () => {
    project = await createSessionProject([])
    const talk = project.talk([...STREAM, '--agent', 'nobody'])
    talk.input.send(userLine('first'))
    talk.input.end()
    expect(await talk.code).toBe(0)
    const { errors } = await talk.seen('result')
    expect(String(errors)).toMatch(/--agent nobody: there is no such agent type; known: /)
  })

  test('tells a host without a model so in the result, and lives on', async () => {
    project = await createSessionProject([])
    const talk = project.talk(STREAM, { env: { ANTHROPIC_API_KEY: undefined } })
    talk.input.send(userLine('first'))
    talk.input.end()
    expect(await talk.code).toBe(0)
    expect(String((await talk.seen('result'))['errors'])).toContain('ANTHROPIC_API_KEY')
  })

  test('lives through lines that are none', async () => {
    project = await createSessionProject([{ text: 'one' }])
    const talk = project.talk()
    talk.input.raw('null\n42\n{"type":\n\r\n')
    talk.input.send(userLine('first'))
    talk.input.end()
    expect(await talk.code).toBe(0)
    expect(order(talk)).toEqual(['init', 'assistant', 'success'])
    expect(talk.io.stderr.text()).not.toBe('')
  })

  test.each(['codebuddy', 'claude-code'] as const)('runs workflows, in the dialect %s', async dialect => {
    project = await createSessionProject(
      [
        { toolCalls: [{ name: 'Workflow', input: { name: 'pair' } }] },
        { text: 'Started.' },
        { text: 'Both have answered.' },
      ],
      { '.claude/workflows/pair.js': TWO_AGENTS },
    )
    const env = dialect === 'claude-code' ? { CLAUDE_AGENT_SDK_VERSION: '0.3.220' } : {}
    const argv = [...STREAM, '--backend', 'simulate', '--permission-mode', 'bypassPermissions']
    const talk = project.talk(argv, { env })
    talk.input.send(userLine('run pair'))
    talk.input.end()
    expect(await talk.code).toBe(0)
    expect(await talk.seen('system', 'task_notification')).toMatchObject({ status: 'completed' })
    expect('prompt' in (await talk.seen('system', 'task_started'))).toBe(dialect === 'claude-code')
    expect(checkFrames(splitLines(talk.io.stdout.text()), { dialect, heldResults: true })).toEqual([])
  })

  test('is not started with workflows where they are switched off', async () => {
    project = await createSessionProject([{ text: 'one' }])
    const talk = project.talk(STREAM, { env: { TUTTI_DISABLE_WORKFLOWS: '1' } })
    talk.input.send(userLine('hello'))
    talk.input.end()
    await talk.code
    expect((await talk.seen('system', 'init'))['tools']).not.toContain('Workflow')
  })
})

describe('a signal', () => {
  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('%s ends turn and workflows with their last frames, and the code %d', async (signal, code) => {
    project = await createSessionProject(
      [{ toolCalls: [{ name: 'Workflow', input: { name: 'pair' } }] }, { text: 'Started.', hangAfter: 2 }],
      { '.claude/workflows/pair.js': TWO_AGENTS },
    )
    const scripted = await project.scripted({ '*': { hang: true } })
    const talk = project.talk([...STREAM, scripted, '--permission-mode=bypassPermissions'])
    talk.input.send(userLine('run pair'))
    await talk.seen('system', 'task_progress')
    talk.io.signal(signal)
    expect(await talk.code).toBe(code)
    expect(await talk.seen('system', 'task_notification')).toMatchObject({ status: 'stopped' })
    expect(talk.io.exits).toEqual([])
    expect(talk.io.exitListeners.size).toBe(0)
  })

  test('that comes twice leaves at once', async () => {
    project = await createSessionProject([{ text: 'never', hangAfter: 1 }])
    const talk = project.talk()
    talk.input.send(userLine('hello'))
    await talk.seen('system', 'init')
    talk.io.signal('SIGTERM')
    talk.io.signal('SIGTERM')
    expect(talk.io.exits).toEqual([143])
    expect(await talk.code).toBe(143)
  })

  test('before there is a session leaves at once', async () => {
    project = await createSessionProject([])
    const talk = project.talk(['-p'])
    await new Promise(resolve => setImmediate(resolve))
    talk.io.signal('SIGINT')
    expect(talk.io.exits).toEqual([130])
    talk.input.end()
    expect(await talk.code).toBe(2)
  })
})

test('a reader that has gone ends the session and its workflows', async () => {
  project = await createSessionProject([{ text: 'one' }])
  const talk = project.talk()
  talk.io.stdout.breakWith('EPIPE')
  talk.input.send(userLine('hello'))
  expect(await talk.code).toBe(0)
})
