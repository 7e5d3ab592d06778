import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  CHAIN,
  createSandboxProject,
  RUN_ID_IN_TEXT,
  type SandboxProject,
} from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'chain.js': CHAIN })
})
afterEach(() => project.remove())

const chain = (answer: string): Promise<string> => project.runOf({ '*': { ok: answer } }, 'chain.js')

describe('fork', () => {
  test('starts a new run from the results before a call, and says from where', async () => {
    const runId = await chain('old')
    const original = await project.tutti('show', runId, '--journal')
    const table = await project.scripted({ '*': { ok: 'new' } })
    const { code, out, err } = await project.tutti('fork', runId, '--at', 'two', table, '--json')
    expect([code, out]).toEqual([0, '["old","new","new"]\n'])
    expect(err).toContain(`\nFork of ${runId} at two (call 2): results of the calls before it are taken`)
    expect(err).toContain('agents=2 ')
    const forked = RUN_ID_IN_TEXT.exec(err)?.[0]
    expect(forked).not.toBe(runId)
    const record = JSON.parse((await project.tutti('show', String(forked), '--json')).out) as object
    expect(record).toMatchObject({ forkedFrom: { runId, at: 'two' } })
    expect(await project.tutti('show', runId, '--journal')).toEqual(original)
  })

  test('a number is the number of the call', async () => {
    const runId = await chain('old')
    const table = await project.scripted({ '*': { ok: 'new' } })
    const { out, err } = await project.tutti('fork', runId, '--at=3', table, '--json')
    expect(out).toBe('["old","old","new"]\n')
    expect(err).toContain('at three (call 3)')
  })

  test('without a call all results are taken', async () => {
    const runId = await chain('old')
    await project.write('other.js', CHAIN.replace('return seen', "return seen.join(' ')"))
    const { code, out, err } = await project.tutti('fork', runId, '--script', 'other.js', '--json')
    expect([code, out]).toEqual([0, '"old old old"\n'])
    expect(err).toContain(`Fork of ${runId}: all of its results are taken.`)
    expect(err).toContain('agents=0 tokens=0')
  })

  test('of a call that is not there is bad input that names the calls, and makes nothing', async () => {
    const runId = await chain('old')
    const files = await project.files()
    const { code, err } = await project.tutti('fork', runId, '--at', 'four')
    expect(code).toBe(2)
    expect(err).toContain('one, two, three')
    expect(await project.files()).toEqual(files)
  })

  test('of an unknown run is refused', async () => {
    expect((await project.tutti('fork', 'wf_00000000-000')).err).toContain('code  run-not-found')
    expect((await project.tutti('fork')).code).toBe(2)
  })
})
