import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('resume', () => {
  test('replays a finished run: nothing dispatched, the same bytes', async () => {
    const first = await project.tutti('run', 'pair.js', '--json')
    const again = await project.tutti('resume', '--json')
    expect(again.code).toBe(0)
    expect(again.out).toBe(first.out)
    expect(again.err).toContain('agents=0 tokens=0')
    expect(again.err).toContain('Backend: simulate, as the run was started.')
  })

  test('takes a changed script, arguments and limits', async () => {
    await project.tutti('run', 'pair.js')
    await project.write('other.js', TWO_AGENTS.replace("['a', 'b']", "['a', args.second]"))
    const { code, err } = await project.tutti(
      'resume',
      '--script',
      'other.js',
      'second=c',
      '--max-agents',
      '2',
    )
    expect(code).toBe(0)
    expect(err).toContain('agents=1 ')
  })

  test('of an unknown run says where it looked and makes nothing', async () => {
    const { code, err } = await project.tutti('resume', 'wf_00000000-000')
    expect(code).toBe(2)
    expect(err).toContain('code  run-not-found')
    expect(await project.files()).toEqual([])
  })

  test('without an id and without runs says so', async () => {
    const { code, err } = await project.tutti('resume')
    expect(code).toBe(2)
    expect(err).toContain('this project has no runs yet')
  })

  test('of a missing script is bad input', async () => {
    const { code, err } = await project.tutti('resume', '--script', 'none.js')
    expect(code).toBe(2)
    expect(err).toContain('there is no such file')
  })
})
