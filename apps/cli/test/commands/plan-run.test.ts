import { systemClock, type Clock, type LaunchEstimate } from '@tutti/runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AFTER_MS } from '../../src/commands/watch-size.ts'
import { main } from '../../src/main.ts'
import { createLeapingClock } from '../support/leaping-clock.ts'
import { createSandboxProject, type SandboxProject, TWO_AGENTS, until } from '../support/sandbox-project.ts'
import type { TestIo } from '../support/test-io.ts'

const WIDE = `export const meta = { name: 'wide', description: 'x' }
return parallel(Array.from({ length: args.n }, (_, i) => () => agent('count to ' + i, { label: 'n' + i })))
`

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS, 'wide.js': WIDE })
})
afterEach(() => project.remove())

describe('run --plan', () => {
  test('tells what the script asks for first, by phase, and the backend', async () => {
    const { code, out, err } = await project.tutti('run', 'pair.js', '--plan')
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('pair  nothing was started\n')
    expect(out).toContain('asks first    2 agents, then waits for results')
    expect(out).toContain('\n    Only  a, b\n')
    expect(out).toContain('earlier runs  none completed in this project\n')
    expect(out).toContain('backend       simulate, because')
    expect(await project.files()).toEqual([])
  })

  test('tells what earlier runs took', async () => {
    await project.runOf({ '*': { echo: true, outputTokens: 50 } })
    const { out } = await project.tutti('run', 'pair.js', '--plan')
    expect(out).toMatch(/earlier runs +1 completed: 2 agents, \S+ tokens, \d/)
  })

  test('--json is the estimate', async () => {
    const { out } = await project.tutti('run', 'wide.js', 'n=3', '--plan', '--json')
    const estimate = JSON.parse(out) as LaunchEstimate
    expect(estimate).toMatchObject({ name: 'wide', end: 'waiting' })
    expect(estimate.firstAgents.map(({ label }) => label)).toEqual(['n0', 'n1', 'n2'])
  })

  test('warns of a large run, by the number that the settings give', async () => {
    expect((await project.tutti('run', 'wide.js', 'n=100', '--plan')).out).not.toContain('large run')
    const { out } = await project.tutti('run', 'wide.js', 'n=101', '--plan')
    expect(out).toContain('large run: the script asks at once for 101 agents, more than 100')
    const strict = ['--settings', '{"workflowSizeGuideline":2}']
    expect((await project.tutti('run', 'wide.js', 'n=3', '--plan', ...strict)).out).toContain(
      '3 agents, more than 2',
    )
  })

  test('a script that throws, and one that needs no agents, are told as such', async () => {
    const meta = "export const meta = { name: 'x', description: 'x' }\n"
    await project.write('throws.js', `${meta}throw new Error('boom')\n`)
    await project.write('none.js', `${meta}return 1\n`)
    expect((await project.tutti('run', 'throws.js', '--plan')).out).toContain(
      'asks first    0 agents, then it throws\n',
    )
    expect((await project.tutti('run', 'none.js', '--plan')).out).toContain(
      'asks first    0 agents, and returns\n',
    )
  })

  test('a script that is refused is bad input here too', async () => {
    await project.write('bad.js', 'return 1\n')
    expect((await project.tutti('run', 'bad.js', '--plan')).code).toBe(2)
  })
})

describe('the warning about a large run', () => {
  const strict = ['--settings', '{"workflowSizeGuideline":1}']

  test('comes soon after the launch, when the script has asked for more agents', async () => {
    const { io, running } = await started('pair.js', ...strict)
    await until(() => io.stderr.text().includes('large run'))
    expect(io.stderr.text()).toContain(
      'warning large run: the script has asked for 2 agents, more than 1 (workflowSizeGuideline)',
    )
    io.signal('SIGTERM')
    expect(await running).toBe(143)
  })

  test('comes when the last run of the workflow was large', async () => {
    const steps =
      "export const meta = { name: 'steps', description: 'x' }\nfor (const n of [1, 2, 3]) await agent('count to ' + n)\n"
    await project.write('steps.js', steps)
    await project.runOf({ '*': { echo: true } }, 'steps.js')
    const { io, running } = await started('steps.js', ...strict)
    await until(() => io.stderr.text().includes('large run'))
    expect(io.stderr.text()).toContain('the last run of this workflow took 3 agents')
    io.signal('SIGTERM')
    await running
  })

  test.each(['--quiet', '--stream-json'])('is not even thought of with %s', async flag => {
    const waits: number[] = []
    const real = systemClock()
    const clock: Clock = {
      now: () => real.now(),
      timer(ms, callback) {
        waits.push(ms)
        return real.timer(ms, callback)
      },
    }
    const io = project.io({ clock })
    expect(await main(['run', 'pair.js', ...strict, flag], io)).toBe(0)
    expect(waits).not.toContain(AFTER_MS)
    expect(io.stderr.text()).not.toContain('large run')
  })

  async function started(...argv: string[]): Promise<{ io: TestIo; running: Promise<number> }> {
    const io = project.io({ clock: createLeapingClock({ from: AFTER_MS, to: AFTER_MS }) })
    const running = main(['run', ...argv, await project.scripted({ '*': { hang: true } })], io)
    return { io, running }
  }
})
