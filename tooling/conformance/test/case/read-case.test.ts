import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CaseError, environmentOf, readCase } from '../../src/case/read-case.ts'

const folder = mkdtempSync(join(tmpdir(), 'read-case-'))
afterAll(() => rmSync(folder, { recursive: true }))

const whole = {
  id: 'x',
  about: 'x',
  files: { 'main.js': '' },
  env: { A: 'b' },
  needs: 'git',
  process: true,
  steps: [
    {
      launch: {
        args: null,
        limits: { agents: 1, concurrency: 2, scriptCpuMs: 3, scriptMemoryMiB: 4 },
        agents: {
          a: [
            { ok: undefined },
            { ok: 1, afterMs: 5, eventEveryMs: 1, partial: 'p', outputTokens: 1, effects: 'none' },
          ],
          b: { transient: 'overloaded', times: 1, then: { invalid: {}, times: 2, then: { echo: true } } },
          '*': { die: 'refused', message: 'm' },
        },
        background: true,
        stop: { settled: ['a'] },
        skip: 'a',
        sigkill: { settledCount: 2 },
      },
      expect: {
        status: 'running',
        exit: 'SIGKILL',
        resultIn: [1, null],
        orStatus: 'failed',
        wireOrder: ['a:b'],
      },
    },
    { resume: { runId: 'r', dryRun: true, files: {}, agents: {}, stop: { afterMs: 1 } }, expect: {} },
    { stop: {}, expect: { status: 'killed' } },
  ],
}

describe('readCase', () => {
  it('reads a case that uses every form', () => {
    const first = whole.steps[0]?.launch?.agents.a[0]
    if (first) first.ok = null as never
    expect(read(whole)).toEqual(whole)
  })

  it.each([
    ['a field of the case', { ...whole, abuot: 'x' }, 'abuot: unknown field'],
    ['a kind of step', steps({ relaunch: {}, expect: {} }), 'exactly one of launch, resume, stop'],
    [
      'a field of a step',
      steps({ launch: { agent: {} }, expect: {} }),
      'steps[0].launch.agent: unknown field',
    ],
    [
      'a field of an expectation',
      steps({ stop: {}, expect: { statsu: 'x' } }),
      'steps[0].expect.statsu: unknown field',
    ],
    ['a limit', steps({ launch: { limits: { agent: 1 } }, expect: {} }), 'limits.agent: unknown field'],
    ['a trigger', steps({ launch: { stop: { after: 1 } }, expect: {} }), 'none of the expected forms'],
    ['a behaviour', steps({ launch: { agents: { a: { okay: 1 } } }, expect: {} }), 'exactly one of ok, echo'],
    [
      'a field of a behaviour',
      steps({ launch: { agents: { a: { ok: 1, afterMS: 1 } } }, expect: {} }),
      'afterMS',
    ],
    ['a cause', steps({ launch: { agents: { a: { die: 'bored' } } }, expect: {} }), 'one of rate_limited'],
    [
      'a nested behaviour',
      steps({ launch: { agents: { a: [{ invalid: 1, times: 1, then: {} }] } }, expect: {} }),
      'then',
    ],
  ])('refuses an unknown name of %s', (_, value, message) => {
    expect(problemsOf(value)).toContain(message)
  })

  it('refuses two kinds in one step', () => {
    expect(problemsOf(steps({ launch: {}, stop: {}, expect: {} }))).toContain('exactly one of')
  })

  it('refuses a case without steps, and a step without expectations', () => {
    expect(problemsOf({ ...whole, steps: [] })).toContain('there is no step')
    expect(problemsOf(steps({ launch: {} }))).toContain('`expect` is missing')
  })

  it('refuses what is no object, and text that is no JSON', () => {
    expect(problemsOf([])).toContain('an object is expected')
    writeFileSync(join(folder, 'bad.json'), '{')
    expect(() => readCase(join(folder, 'bad.json'))).toThrow(CaseError)
  })

  it('tells the environment of a case, and none of what is no case', () => {
    expect(environmentOf(write(whole))).toEqual({ A: 'b' })
    expect(environmentOf(write({ ...whole, x: 1 }))).toBeUndefined()
  })
})

function steps(step: object): object {
  return { ...whole, steps: [step] }
}

function write(value: unknown): string {
  const file = join(folder, 'case.json')
  writeFileSync(file, JSON.stringify(value))
  return file
}

function read(value: unknown): unknown {
  return readCase(write(value))
}

function problemsOf(value: unknown): string {
  try {
    read(value)
    return ''
  } catch (error) {
    return error instanceof CaseError ? error.problems.join('\n') : String(error)
  }
}
