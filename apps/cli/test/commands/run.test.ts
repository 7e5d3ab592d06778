import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import {
  createSandboxProject,
  type SandboxProject,
  TWO_AGENTS,
  RUN_ID_IN_TEXT,
  until,
} from '../support/sandbox-project.ts'
import { isAlive, lineFrom } from '../support/processes.ts'
import { type TestIo } from '../support/test-io.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('run', () => {
  test('reports the launch first, the backend, what ended, and the end on standard error', async () => {
    const { code, err } = await project.tutti('run', 'pair.js')
    expect(code).toBe(0)
    const lines = err.split('\n')
    expect(lines[0]).toMatch(/^async_launched run wf_[0-9a-f]{8}-[0-9a-f]{3} task w[0-9a-z]{8}$/)
    expect(lines[1]).toMatch(/^Backend: simulate, because/)
    expect(err).toContain('\ndone    Only › a (')
    expect(err).toContain('\nlog     hello from the script\n')
    expect(err).toMatch(/\n✓ pair completed in /)
    expect(err).toMatch(/agents=2 tokens=\d+ duration=/)
    expect(err).toContain('no model was asked')
    expect(err).toMatch(/tutti resume wf_/)
    expect(err).not.toContain('\u001b')
  })

  test('standard output carries the result and nothing else', async () => {
    const agents = await project.scripted({ a: { ok: 'x' }, b: { ok: 'y' } })
    expect((await project.tutti('run', 'pair.js', agents)).out).toBe('[\n  "x",\n  "y"\n]\n')
    expect((await project.tutti('run', 'pair.js', agents, '--json')).out).toBe('["x","y"]\n')
  })

  test('--quiet says nothing on standard error', async () => {
    const agents = await project.scripted({ '*': { echo: true } })
    const { code, out, err } = await project.tutti('run', 'pair.js', '--quiet', '--json', agents)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toHaveLength(2)
    expect(err).toBe('')
  })

  test.each([['--quiet'], ['--quiet', '--json'], ['--quiet', '--stream-json']])(
    'with %s one line says that answers were made up',
    async (...flags) => {
      const { err } = await project.tutti('run', 'pair.js', ...flags)
      expect(err).toBe('simulated: no model was asked; all answers were made up\n')
    },
  )

  test('a budget is lifted with none', async () => {
    const lifted = ['--budget=none', '--budget-tokens=none', '--budget-cost=none', '--budget-time=none']
    const { code } = await project.tutti(
      'run',
      'pair.js',
      '--settings',
      '{"tutti":{"limits":{"tokens":1}}}',
      ...lifted,
    )
    expect(code).toBe(0)
    const { out } = await project.tutti('show', '--json')
    expect(JSON.parse(out)).toMatchObject({
      limits: { outputTokens: null, tokens: null, costUsd: null, wallMs: null },
    })
  })

  test('with a budget the end and show tell the output tokens that it counts', async () => {
    const { err } = await project.tutti('run', 'pair.js', '--budget', '100000')
    const output = /tokens=\d+ output=(\d+) /.exec(err)?.[1]
    expect(Number(output)).toBeGreaterThan(0)
    expect((await project.tutti('show')).out).toContain(`budget        ${output} of 100000 output tokens\n`)
  })

  test('a model backend without a key is refused before anything is made', async () => {
    const flag = await project.tutti('run', 'pair.js', '--backend', 'model')
    expect(flag.code).toBe(2)
    expect(flag.err).toContain('backend "model" needs a model key, and none is set')
    expect(flag.err).toContain('code  backend-not-ready')
    const setting = await project.tutti('run', 'pair.js', '--settings', '{"tutti":{"backend":"model"}}')
    expect(setting.code).toBe(2)
    expect(await project.files()).toEqual([])
  })

  test('a sandbox that is required and cannot be had is a refusal before anything is made', async () => {
    const settings = JSON.stringify({ tutti: { sandbox: { mode: 'required' } } })
    const { code, err } = await project.tutti(
      'run',
      'pair.js',
      '--backend',
      'simulate',
      '--settings',
      settings,
    )
    expect(code).toBe(2)
    expect(err).toContain('tutti.sandbox.mode is "required"')
    expect(await project.files()).toEqual([])
  })

  test('hints name the command as it was started', async () => {
    const io = project.io({ program: 'node dist/bin.js' })
    await main(['run', 'pair.js'], io)
    expect(io.stderr.text()).toMatch(/replay {8}node dist\/bin\.js resume wf_/)
    const failing = project.io({ program: 'node dist/bin.js' })
    await main(['run', 'missing.js'], failing)
    expect(failing.stderr.text()).toContain('(node dist/bin.js ls --workflows)')
  })

  test('gives the script its arguments', async () => {
    await project.write('echo.js', "export const meta = { name: 'echo', description: 'x' }\nreturn args\n")
    expect((await project.tutti('run', 'echo.js', 'n=3', 'who=you', '--json')).out).toBe(
      '{"n":3,"who":"you"}\n',
    )
    expect((await project.tutti('run', 'echo.js', '--args', '[1]', '--json')).out).toBe('[1]\n')
    expect((await project.tutti('run', 'echo.js', '--json')).out).toBe('null\n')
  })

  test('finds saved workflows by name', async () => {
    await project.write('.claude/workflows/any.js', TWO_AGENTS)
    expect((await project.tutti('run', 'pair', '--quiet')).code).toBe(0)
    const { code, err } = await project.tutti('run', 'pear')
    expect(code).toBe(2)
    expect(err).toContain('code  workflow-not-found')
    expect(err).toContain('pair')
  })

  test('a script that is refused is bad input, with place and frame, and makes no file', async () => {
    await project.write(
      'bad.js',
      "export const meta = { name: 'bad', description: 'x' }\nreturn Date.now()\n",
    )
    const { code, out, err } = await project.tutti('run', 'bad.js')
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain('bad.js:2:8')
    expect(err).toContain('return Date.now()')
    expect(err).toContain('code  script-invalid')
    expect(await project.files()).toEqual([])
  })

  test.each([
    ['limits', ['--max-agents', '1'], 'agent-limit'],
    ['the budget', ['--budget', '1'], 'budget'],
  ])('%s come from flags', async (_name, flags, code) => {
    await project.write(
      'three.js',
      "export const meta = { name: 'three', description: 'x' }\nfor (const n of [1, 2, 3]) await agent('count to ' + n)\n",
    )
    const result = await project.tutti('run', 'three.js', ...flags, '--json')
    expect(result.code).toBe(1)
    expect(result.err).toContain(`"code":"${code}"`)
  })

  test.each([
    ['tokens of all kinds', ['--budget-tokens', '10'], 'the budget of 10 tokens for the run'],
    ['wall clock', ['--budget-time', '1ms'], 'the budget of 1 ms for the run'],
    ['cost', ['--budget-cost', '0.001'], 'the budget of $0.00 for the run'],
  ])('a budget of %s ends the run when it is spent', async (_name, flags, message) => {
    await project.write(
      'three.js',
      "export const meta = { name: 'three', description: 'x' }\nfor (const n of [1, 2, 3]) await agent('count to ' + n)\n",
    )
    const prices = JSON.stringify({ tutti: { prices: { simulate: { input: 1000, output: 1000 } } } })
    const { code, err } = await project.tutti('run', 'three.js', ...flags, '--settings', prices, '--json')
    expect(code).toBe(1)
    expect(err).toContain('"code":"budget"')
    expect(err).toContain(message)
    expect(err).toMatch(flags[0] === '--budget-time' ? /agents=0/ : /cost {10}\$\d/)
  })

  describe('a budget of cost', () => {
    const budget = ['--budget-cost', '5']
    const settings = (value: object): string[] => ['--settings', JSON.stringify(value)]

    test('holds where nothing costs anything', async () => {
      expect((await project.tutti('run', 'pair.js', ...budget)).code).toBe(0)
    })

    test.each([
      ['of a flag', budget],
      ['of the settings', settings({ tutti: { limits: { costUsd: 5 } } })],
    ])('%s that cannot be counted is refused before anything is made', async (_name, flags) => {
      const agents = await project.scripted({ '*': { echo: true } })
      const { code, err } = await project.tutti('run', 'pair.js', agents, ...flags)
      expect(code).toBe(2)
      expect(err).toContain('a budget in money cannot be held')
      expect(err).toContain('"prices"')
      expect(await project.files()).toEqual([])
    })

    test('is looked at anew on resume, fork and retry, with the backend that the run had', async () => {
      const runId = await project.runOf({ '*': { echo: true } })
      for (const command of [
        ['resume', runId],
        ['fork', runId],
        ['retry', runId, 'a'],
      ]) {
        const { code, err } = await project.tutti(...command, ...budget)
        expect([code, err]).toEqual([2, expect.stringContaining('cannot be held')])
      }
      expect((await project.tutti('resume', runId)).code).toBe(0)
    })

    test('that meets an agent of unknown cost says so', async () => {
      const agents = await project.scripted({ '*': { ok: 'x', outputTokens: 10 } })
      const prices = settings({ tutti: { prices: { other: { input: 1, output: 1 } } } })
      const { err } = await project.tutti('run', 'pair.js', agents, ...budget, ...prices)
      expect(err).toContain('the cost of an agent is not known')
      expect(err).toContain('cost          unknown')
    })
  })

  test('the commands of agents end with the process, whatever ends it', async () => {
    const script =
      "export const meta = { name: 'sh', description: 'x' }\nreturn agent('trap \"\" TERM; echo $$ > pid; while :; do sleep 1; done', { agentType: 'shell' })\n"
    await project.write('sh.js', script)
    const io = project.io({ env: { PATH: process.env['PATH'] } })
    const running = main(['run', 'sh.js', '--allow-shell', '--quiet'], io)
    const pid = Number(await lineFrom(join(project.cwd, 'pid')))
    expect(isAlive(pid)).toBe(true)
    expect(io.exitListeners.size).toBe(1)
    for (const listener of io.exitListeners) listener()
    await until(() => !isAlive(pid))
    expect(await running).toBe(1)
    expect(io.exitListeners.size).toBe(0)
  })

  test('a session id is kept', async () => {
    const session = '00000000-0000-4000-8000-0000000000ab'
    await project.tutti('run', 'pair.js', '--session', session)
    expect((await project.files()).some(file => file.includes(session))).toBe(true)
  })

  test('shell agents run only when allowed', async () => {
    await project.write(
      'shell.js',
      "export const meta = { name: 'shell', description: 'x' }\nreturn agent('echo hi', { agentType: 'shell' })\n",
    )
    const refused = await project.tutti('run', 'shell.js', '--json')
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('permission_denied')
    const allowed = await project.tutti('run', 'shell.js', '--json', '--allow-shell')
    expect(allowed.code).toBe(0)
    expect(allowed.out).toContain('hi')
  })
})

describe('exit codes of ends', () => {
  test('3 when completed with failures, which are listed', async () => {
    const { code, out, err } = await project.tutti(
      'run',
      'pair.js',
      '--json',
      await project.scripted({ a: { ok: 1 }, b: { die: 'refused', message: 'not that' } }),
    )
    expect(code).toBe(3)
    expect(out).toBe('[1,null]\n')
    expect(err).toContain('completed with failures')
    expect(err).toContain('b: refused: not that')
  })

  test('1 when failed: no result, the error with its place, and as JSON last', async () => {
    await project.write(
      'throws.js',
      "export const meta = { name: 'throws', description: 'x' }\nawait agent('a')\nthrow new Error('boom')\n",
    )
    const { code, out, err } = await project.tutti('run', 'throws.js', '--json')
    expect(code).toBe(1)
    expect(out).toBe('')
    expect(err).toContain('workflow.js:3:')
    const { error } = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '') as { error: Record<string, string> }
    expect(error).toMatchObject({ code: 'script-error', status: 'failed' })
    expect(error['message']).toContain('boom')
    expect(error['runId']).toMatch(RUN_ID_IN_TEXT)
    expect(error['hint']).toContain('tutti resume wf_')
  })

  test('4 when paused', async () => {
    const table = await project.scripted({ a: { die: 'quota' }, b: { ok: 1 } })
    const { code, err } = await project.tutti('run', 'pair.js', table, '--json')
    expect(code).toBe(4)
    expect(err).toContain('"code":"run-paused"')
    expect(err).toContain('paused: quota')
  })

  test.each([
    ['SIGINT' as const, 130],
    ['SIGTERM' as const, 143],
  ])('%s stops the run and exits with %d', async (signal, expected) => {
    const { code, err } = await stoppedBy(signal)
    expect(code).toBe(expected)
    expect(err).toContain('■ pair stopped')
    expect(err).toMatch(/resume {8}tutti resume wf_/)
  })

  test('a second Ctrl-C leaves at once', async () => {
    const { io } = await stoppedBy('SIGINT', 'SIGINT')
    expect(io.exits).toEqual([130])
  })

  async function stoppedBy(...signals: ('SIGINT' | 'SIGTERM')[]) {
    const io: TestIo = project.io()
    const running = main(['run', 'pair.js', await project.scripted({ '*': { hang: true } })], io)
    await until(() => io.stderr.text().includes('Backend:'))
    for (const signal of signals) io.signal(signal)
    return { io, code: await running, err: io.stderr.text() }
  }
})
