import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReplayPlan } from '@tutti/runtime'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

async function edit(from: string, to: string): Promise<void> {
  await project.write('pair.js', TWO_AGENTS.replace(from, to))
}

describe('resume --dry-run', () => {
  test('tells what is kept, what runs again and why, with the words that changed', async () => {
    await project.runOf({ a: { ok: 1, outputTokens: 40 }, b: { ok: 2 } })
    await edit("'say ' + label", "'say ' + (label === 'b' ? 'it to bees' : label)")
    const { code, out, err } = await project.tutti('resume', '--dry-run')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^wf_\S+ {2}nothing was started\n/)
    expect(out).toMatch(/kept +1 call, [1-9]\d* tokens saved\n/)
    expect(out).toMatch(/run again +1 call\n/)
    expect(out).toMatch(/not reached +0 recorded results\n/)
    expect(out).toContain('then          waits for these')
    expect(out).toMatch(
      /\nrun again\n {2}b {2}prompt changed {2}Only · workflow\.js:4:\d+\n {4}~ say \[-b-\]\{\+it to bees\+\}\n$/,
    )
  })

  test('names the cause of what failed before, and what the script does not reach', async () => {
    await project.write(
      'steps.js',
      "export const meta = { name: 'steps', description: 'x' }\nawait agent('first', { label: 'first' })\nreturn agent('second', { label: 'second' })\n",
    )
    await project.runOf({ first: { ok: 1 }, second: { die: 'refused' } }, 'steps.js')
    const failed = await project.tutti('resume', '--dry-run')
    expect(failed.out).toContain('  second  failed before (refused)  workflow.js:3:8')
    await project.write(
      'other.js',
      "export const meta = { name: 'x', description: 'x' }\nreturn agent('new', { label: 'new' })\n",
    )
    const { out } = await project.tutti('resume', '--dry-run', '--script', 'other.js')
    expect(out).toContain('  new  new  workflow.js:2:8')
    expect(out).toMatch(/not reached +1 recorded result\n/)
    expect(out).toContain('\nnot reached\n  first\n')
  })

  test('of a finished run says that all of it is a replay', async () => {
    await project.runOf({ '*': { echo: true } })
    const { out } = await project.tutti('resume', '--dry-run')
    expect(out).toContain('then          returns: all of it is a replay')
    expect(out).not.toContain('\nrun again\n')
  })

  test('tells what the script throws', async () => {
    await project.runOf({ '*': { echo: true } })
    await project.write(
      'bad.js',
      "export const meta = { name: 'bad', description: 'x' }\nthrow new Error('boom')\n",
    )
    expect((await project.tutti('resume', '--dry-run', '--script', 'bad.js')).out).toContain('throws: ')
  })

  test('--json is the plan', async () => {
    const runId = await project.runOf({ a: { ok: 1 }, b: { die: 'refused' } })
    const { code, out } = await project.tutti('resume', runId, '--dry-run', '--json')
    expect(code).toBe(0)
    const plan = JSON.parse(out) as ReplayPlan
    expect(plan).toMatchObject({
      runId,
      hits: 1,
      end: 'waiting',
      misses: [{ label: 'b', reason: 'failed before', cause: 'refused', prompt: 'say b' }],
    })
  })

  test('writes nothing and dispatches nothing', async () => {
    await project.runOf({ a: { ok: 1 }, b: { die: 'refused' } })
    await project.write('table.json', '{}')
    await edit('say', 'tell')
    const before = await project.tree()
    await project.tutti('resume', '--dry-run')
    await project.tutti('resume', '--dry-run', '--json', '--max-agents', '5')
    expect(await project.tree()).toEqual(before)
  })

  test.each([
    ['--stream-json', "option '--dry-run' cannot be used with option '--stream-json'"],
    ['--auto-resume', "option '--dry-run' cannot be used with option '--auto-resume'"],
  ])('cannot be combined with %s', async (flag, message) => {
    const { code, err } = await project.tutti('resume', '--dry-run', flag)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
