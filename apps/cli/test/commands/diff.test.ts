import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunComparison } from '../../src/compare/compare-runs.ts'
import {
  createSandboxProject,
  RUN_ID_IN_TEXT,
  type SandboxProject,
  TWO_AGENTS,
} from '../support/sandbox-project.ts'

const TABLE = `export const meta = { name: 'table', description: 'x' }
return parallel(args.calls.map(([label, prompt]) => () => agent(prompt, { label, phase: 'All' })))
`

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS, 'table.js': TABLE })
})
afterEach(() => project.remove())

/** A run with these calls, label and prompt each. */
async function run(calls: [string, string][], agents: object = { '*': { echo: true } }): Promise<string> {
  const { err } = await project.tutti(
    'run',
    'table.js',
    await project.scripted(agents),
    '--args',
    JSON.stringify({ calls }),
  )
  return RUN_ID_IN_TEXT.exec(err)?.[0] ?? ''
}

async function compare(a: string, b: string): Promise<RunComparison> {
  return JSON.parse((await project.tutti('diff', a, b, '--json')).out) as RunComparison
}

describe('diff', () => {
  test('of a run with itself finds nothing', async () => {
    const a = await run([['one', 'ask one']])
    expect(await compare(a, a)).toMatchObject({
      script: { equal: true },
      args: { equal: true },
      calls: { equal: 1, otherOutcome: [], changed: [], added: [], removed: [] },
      result: { equal: true },
    })
    const { code, out, err } = await project.tutti('diff', a, a)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('\nscript  equal\nargs    equal\ncalls   1 equal\nresult  equal\n')
  })

  test('pairs calls by key and label, and tells the rest', async () => {
    const a = await run([
      ['kept', 'the same'],
      ['edited', 'count all of the red apples'],
      ['gone', 'only here'],
    ])
    const b = await run([
      ['fresh', 'only there'],
      ['renamed', 'the same'],
      ['edited', 'count all of the green apples'],
    ])
    const { calls, args, result } = await compare(a, b)
    expect(calls).toEqual({
      equal: 1,
      otherOutcome: [],
      changed: [
        {
          label: 'edited',
          phase: 'All',
          fields: ['prompt'],
          prompts: { a: 'count all of the red apples', b: 'count all of the green apples' },
        },
      ],
      added: [{ label: 'fresh', phase: 'All' }],
      removed: [{ label: 'gone', phase: 'All' }],
    })
    expect(args.patch).toContain('-      "only here"')
    expect(result.patch).toContain('+  "only there"')
    const { out } = await project.tutti('diff', a, b)
    expect(out).toContain('calls   1 equal, 1 changed, 1 added, 1 removed\n')
    expect(out).toContain(
      '  ~ All › edited  prompt changed\n      ~ count all of the [-red-]{+green+} apples\n',
    )
    expect(out).toContain('  + All › fresh\n  - All › gone\n')
    expect(out).toContain(`  --- ${a}\n  +++ ${b}\n`)
  })

  test('tells another answer to the same call, and another end', async () => {
    const calls: [string, string][] = [
      ['one', 'p1'],
      ['two', 'p2'],
      ['three', 'p3'],
    ]
    const a = await run(calls, { one: { ok: { n: 1 } }, two: { ok: 'x' }, three: { ok: 's' } })
    const b = await run(calls, { one: { ok: { n: 2 } }, two: { die: 'refused' }, three: { ok: 's' } })
    expect((await compare(a, b)).calls).toMatchObject({
      equal: 1,
      otherOutcome: [
        { label: 'one', a: '{"n":1}', b: '{"n":2}' },
        { label: 'two', a: '"x"', b: 'refused' },
      ],
    })
    const { out } = await project.tutti('diff', a, b)
    expect(out).toContain('calls   1 equal, 2 with another result\n')
    expect(out).toContain('  = All › two  another result\n      - x\n      + refused\n')
  })

  test('shows how the scripts differ', async () => {
    const a = await project.runOf({ '*': { echo: true } })
    await project.write('pair.js', TWO_AGENTS.replace('hello from', 'greetings from'))
    const b = await project.runOf({ '*': { echo: true } })
    const { out } = await project.tutti('diff', a, b, '--no-color')
    expect(out).toContain('script  changed\n')
    expect(out).toContain("\n  -log('hello from the script')\n  +log('greetings from the script')\n")
  })

  test('of a run that has no result says so', async () => {
    const a = await project.runOf({ '*': { echo: true } })
    const b = await project.runOf({ '*': { die: 'quota' } })
    const { result } = await compare(a, b)
    expect(result).toEqual({ equal: false, reason: `${b} has none` })
  })

  test('large results are read from where they are', async () => {
    const large = 'x'.repeat(300_000)
    const a = await run([['one', 'p']], { one: { ok: large } })
    const b = await run([['one', 'p']], { one: { ok: `${large}y` } })
    const { calls } = await compare(a, b)
    expect(calls.otherOutcome[0]?.b).toBe(JSON.stringify(`${large}y`))
  })

  test('needs two runs that exist', async () => {
    const a = await project.runOf({ '*': { echo: true } })
    expect((await project.tutti('diff', a)).code).toBe(2)
    const { code, err } = await project.tutti('diff', a, 'wf_00000000-000')
    expect(code).toBe(2)
    expect(err).toContain('code  run-not-found')
  })
})
