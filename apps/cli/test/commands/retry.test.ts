import { startMockModel } from '@tutti-internal/mock-model'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import {
  CHAIN,
  createSandboxProject,
  RUN_ID_IN_TEXT,
  until,
  type SandboxProject,
} from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'chain.js': CHAIN })
})
afterEach(() => project.remove())

const calm = { effects: 'none' }

describe('retry', () => {
  test('lets one agent of an ended run work again; the others keep their results', async () => {
    const runId = await project.runOf({ '*': { ok: 'old', ...calm } }, 'chain.js')
    const table = await project.scripted({ '*': { ok: 'new', ...calm } })
    const { code, out, err } = await project.tutti('retry', runId, 'two', table, '--json')
    expect([code, out]).toEqual([0, '["old","new","old"]\n'])
    expect(err).toContain('Retry of call "two": it begins anew; finished agents keep their results.')
    expect(err).toContain('agents=1 ')
    const record = JSON.parse((await project.tutti('show', runId, '--json')).out) as object
    expect(record).toMatchObject({ runId, attempt: 2 })
  })

  test('takes the number of a call, too, and exits as a resume does', async () => {
    const runId = await project.runOf({ '*': { ok: 'old', ...calm } }, 'chain.js')
    const table = await project.scripted({ '*': { die: 'refused' } })
    const { code, out } = await project.tutti('retry', runId, '3', table, '--json')
    expect([code, out]).toEqual([3, '["old","old",null]\n'])
  })

  test('with --continue goes on with the conversation of the agent, the cause as the next message', async () => {
    const failing = { die: 'timeout', message: 'took too long', session: 'session-1', ...calm }
    const runId = await project.runOf({ two: failing, '*': { ok: 'old', ...calm } }, 'chain.js')
    const table = await project.scripted({ two: { echo: true, ...calm } })
    const { code, out, err } = await project.tutti('retry', runId, 'two', '--continue', table, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual(['old', expect.stringContaining('timeout: took too long'), 'old'])
    expect(err).toContain('it goes on with its own conversation')
  })

  test('with --continue reads the conversation of a built-in agent back from its transcript', async () => {
    await using server = await startMockModel({
      replies: [
        { toolCalls: [{ name: 'Read', input: { file_path: 'notes.txt' } }] },
        { error: { status: 400, message: 'not now' } },
        { text: 'It says hello.' },
      ],
    })
    await project.write('notes.txt', 'hello from the file\n')
    await project.write(
      'read.js',
      `export const meta = { name: 'read', description: 'x' }
return await agent('Read notes.txt.', { label: 'read' })`,
    )
    const env = { ANTHROPIC_API_KEY: 'sk-of-the-test', ANTHROPIC_BASE_URL: server.url, ANTHROPIC_MODEL: 'm' }
    const tutti = async (...argv: string[]): Promise<{ out: string; err: string }> => {
      const io = project.io({ env })
      await main(argv, io)
      return { out: io.stdout.text(), err: io.stderr.text() }
    }
    const { err } = await tutti('run', 'read.js')
    const runId = RUN_ID_IN_TEXT.exec(err)?.[0] ?? ''
    const { out } = await tutti('retry', runId, 'read', '--continue', '--json')
    expect(out).toBe('"It says hello."\n')
    const said = JSON.stringify(server.requests[2]?.body.messages)
    for (const text of ['Read notes.txt.', 'hello from the file', 'invalid_request'])
      expect(said).toContain(text)
  })

  test.each([
    ['that has ended well', 'one', 'it has ended well'],
    ['that left no session', 'two', 'it left no session id'],
  ])('with --continue of an agent %s is refused, and nothing is touched', async (_, call, message) => {
    const runId = await project.runOf({ two: { die: 'refused' }, '*': { ok: 'old' } }, 'chain.js')
    const before = await project.tutti('show', runId, '--journal')
    const { code, err } = await project.tutti('retry', runId, call, '--continue')
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).toContain('code  cannot-continue')
    expect(err).toContain(`tutti retry ${runId} "${call}"`)
    expect(await project.tutti('show', runId, '--journal')).toEqual(before)
  })

  test('--dry-run tells what would run again and what is kept; nothing is dispatched or written', async () => {
    const runId = await project.runOf({ '*': { ok: 'old', outputTokens: 10, ...calm } }, 'chain.js')
    const before = await project.tree()
    const { code, out, err } = await project.tutti('retry', runId, 'two', '--dry-run')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain(`${runId}  nothing was started`)
    expect(out).toMatch(/kept +1 call, /)
    expect(out).toMatch(/run again +1 call\n/)
    expect(out).toContain('\nrun again\n  two  retried  workflow.js:3:')
    expect(out).toContain('\nnot reached\n  three\n')
    const plan = JSON.parse((await project.tutti('retry', runId, 'two', '--dry-run', '--json')).out) as object
    expect(plan).toMatchObject({ hits: 1, misses: [{ label: 'two', reason: 'retried' }], end: 'waiting' })
    expect(await project.tree()).toEqual(before)
  })

  test('--dry-run refuses what a retry would refuse', async () => {
    const runId = await project.runOf({ two: { die: 'refused' }, '*': { ok: 'old' } }, 'chain.js')
    const missing = await project.tutti('retry', runId, 'four', '--dry-run')
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('one, two, three')])
    const endedWell = await project.tutti('retry', runId, 'one', '--continue', '--dry-run')
    expect([endedWell.code, endedWell.err]).toEqual([2, expect.stringContaining('cannot-continue')])
  })

  test('of a call that is not there is bad input that names the calls', async () => {
    const runId = await project.runOf({ '*': { ok: 'old' } }, 'chain.js')
    const { code, err } = await project.tutti('retry', runId, 'four')
    expect(code).toBe(2)
    expect(err).toContain('one, two, three')
  })

  test('of an unknown run, or without a call, is refused', async () => {
    expect((await project.tutti('retry', 'wf_00000000-000', 'one')).err).toContain('code  run-not-found')
    expect((await project.tutti('retry', 'wf_00000000-000')).code).toBe(2)
  })

  test('of a run that still runs says that its agents cannot be reached', async () => {
    const running = project.io()
    const exit = main(['run', 'chain.js', await project.scripted({ '*': { hang: true } })], running)
    await until(() => RUN_ID_IN_TEXT.test(running.stderr.text()))
    const runId = RUN_ID_IN_TEXT.exec(running.stderr.text())?.[0] ?? ''
    const { code, err } = await project.tutti('retry', runId, 'one')
    expect(code).toBe(2)
    expect(err).toContain(`run ${runId} is still running, in process ${process.pid}`)
    expect(err).toContain('cannot be reached from here')
    expect(err).toContain(`tutti stop ${runId}`)
    expect(err).toContain('code  run-is-owned')
    running.signal('SIGINT')
    await exit
  })
})
