import { describe, expect, it } from 'vitest'
import type { Case, Expectation, RunStep, Step } from '../../src/case/types.ts'
import { runCase } from '../../src/steps/run-case.ts'

const meta = "export const meta = { name: 'case', description: 'case' }\n"
const two = `${meta}return await parallel(['a', 'b'].map(l => () => agent(l, { label: l })))`
const chain = `${meta}const r = []\nfor (let i = 0; i < 4; i++) r.push(await agent('s' + i, { label: 's' + i }))\nreturn r`
const echo = { '*': { echo: true, afterMs: 20 } }

describe.each([{ process: false }, { process: true }])('a case with process: $process', ({ process }) => {
  const run = (source: string, ...steps: Step[]): ReturnType<typeof runCase> =>
    runCase({ id: 'x', about: 'x', files: { 'main.js': source }, process, steps })

  it('knows value, census, rows, dispatches, agents at once and terminal lines of a launch', async () => {
    const expected: Expectation = {
      status: 'completed',
      degraded: true,
      result: ['a', null],
      census: { total: 2, ok: 1, failed: 1 },
      failures: [{ label: 'b', cause: 'refused' }],
      rows: [{ label: 'a', state: 'done' }],
      dispatched: { a: 1, b: 1 },
      dispatchedTotal: 2,
      cached: 0,
      maxInFlight: 1,
      terminalLines: 2,
      withinMs: 20_000,
      resultIn: [['a', null]],
      hostAlive: true,
    }
    const launch = { limits: { concurrency: 1 }, agents: { a: { echo: true }, b: { die: 'refused' } } }
    expect(await run(two, { launch, expect: expected })).toEqual([])
  })

  it('misses what is wrong', async () => {
    const wrong: Expectation = {
      status: 'failed',
      result: [1],
      dispatched: { a: 1 },
      terminalLines: 3,
      cached: 1,
    }
    expect(await fieldsMissed(run(two, { launch: { agents: echo }, expect: wrong }))).toEqual(
      Object.keys(wrong),
    )
  })

  it('misses a dispatch that the table has no entry for', async () => {
    const launch = { agents: { a: { echo: true } } }
    expect(await fieldsMissed(run(two, { launch, expect: {} }))).toEqual(['problem'])
  })

  it('stops once the labels have settled, and resumes with what was recorded', async () => {
    const stopped: RunStep = { agents: { a: { ok: 1 }, b: { hang: true } }, stop: { settled: ['a'] } }
    const misses = await run(
      two,
      { launch: stopped, expect: { status: 'killed', census: { ok: 1, stopped: 1 }, terminalLines: 2 } },
      {
        resume: { agents: { b: { ok: 2 } } },
        expect: { result: [1, 2], dispatched: { b: 1 }, cached: 1, cachedAtLeast: 1 },
      },
    )
    expect(misses).toEqual([])
  })

  it('stops some time after the first dispatch', async () => {
    const launch: RunStep = { agents: { '*': { hang: true } }, stop: { afterMs: 50 } }
    expect(await run(two, { launch, expect: { status: 'killed' } })).toEqual([])
  })

  it('replaces files before a step', async () => {
    const resume: RunStep = { agents: {}, files: { 'main.js': `${meta}return 2` } }
    const steps: Step[] = [
      { launch: { agents: {} }, expect: { result: 1 } },
      { resume, expect: { result: 2, filesCreated: 0 } },
    ]
    expect(await run(`${meta}return 1`, ...steps)).toEqual([])
  })

  it('tells a refusal from a run that failed', async () => {
    const refused = {
      inputErrorCode: 'script-invalid',
      errorCode: 'script-invalid',
      messageIncludes: 'meta',
      filesCreated: 0,
    }
    expect(await run('return 1', { launch: { agents: {} }, expect: refused })).toEqual([])
    expect(await fieldsMissed(run('return 1', { launch: { agents: {} }, expect: {} }))).toEqual(['refusal'])
    const failed = { status: 'failed', errorCode: 'script-error', messageIncludes: ['no', 'workflow.js:2'] }
    expect(await run(`${meta}throw new Error('no')`, { launch: { agents: {} }, expect: failed })).toEqual([])
  })

  it('reads the frames in order', async () => {
    const wireOrder = [
      'task_started',
      'task_progress',
      'task_updated:completed',
      'task_notification:completed',
    ]
    expect(await run(two, { launch: { agents: echo }, expect: { wireOrder } })).toEqual([])
    const reversed = wireOrder.toReversed()
    expect(
      await fieldsMissed(run(two, { launch: { agents: echo }, expect: { wireOrder: reversed } })),
    ).toEqual(['wireOrder'])
  })

  it('gives arguments and limits to the run', async () => {
    const source = `${meta}return [args, (await parallel([1, 2].map(n => () => agent('a' + n)))).length]`
    const enough: RunStep = { args: 'text', limits: { agents: 2, concurrency: 1 }, agents: echo }
    const expected: Expectation = { result: ['text', 2], maxInFlight: 1 }
    expect(await run(source, { launch: enough, expect: expected })).toEqual([])
    const tooFew: RunStep = { limits: { agents: 1, scriptCpuMs: 5_000, scriptMemoryMiB: 64 }, agents: echo }
    expect(await run(source, { launch: tooFew, expect: { errorCode: 'agent-limit' } })).toEqual([])
  })

  it('knows a background run as running', async () => {
    const launch: RunStep = { background: true, agents: { '*': { hang: true } } }
    expect(await run(two, { launch, expect: { running: true, status: 'running' } })).toEqual([])
  })
})

describe('a case with steps that need a process', () => {
  it.each([
    ['settled', { settled: ['s1'] }],
    ['settledCount', { settledCount: 2 }],
  ])('is killed by %s', async (_, sigkill) => {
    const given = single(chain, [
      { launch: { agents: echo, sigkill }, expect: { exit: 'SIGKILL' } },
      {
        resume: { agents: echo },
        expect: { exit: 0, result: ['s0', 's1', 's2', 's3'], dispatchedAtMost: 2, cachedAtLeast: 2 },
      },
    ])
    expect(await runCase(given)).toEqual([])
  })

  it('is stopped from another process', async () => {
    const given = single(two, [
      { launch: { background: true, agents: { '*': { hang: true } } }, expect: { running: true } },
      { stop: {}, expect: { exit: 0, status: 'killed' } },
    ])
    expect(await runCase(given)).toEqual([])
  })

  it('knows the exit code', async () => {
    expect(await runCase(single('return 1', [{ launch: { agents: {} }, expect: { exit: 2 } }]))).toEqual([])
    const wrong = runCase(single('return 1', [{ launch: { agents: {} }, expect: { exit: 3 } }]))
    expect(await fieldsMissed(wrong)).toEqual(['exit'])
  })

  it('has its environment', async () => {
    const env = { TUTTI_MAX_CONCURRENT_AGENTS: '1' }
    const given = {
      ...single(two, [{ launch: { agents: echo }, expect: { maxInFlight: 1, result: ['a', 'b'] } }]),
      env,
    }
    expect(await runCase({ ...given, process: true })).toEqual([])
  })
})

describe('a case in a repository', () => {
  it('has one commit', async () => {
    const source = `${meta}return await agent('a', { label: 'a', isolation: 'worktree' })`
    const given = single(source, [{ launch: { agents: { a: { ok: 1 } } }, expect: { result: 1 } }])
    expect(await runCase({ ...given, needs: 'git' })).toEqual([])
  })
})

describe('a dry run', () => {
  it('tells what a resume would do', async () => {
    const steps: Step[] = [
      { launch: { agents: { a: { ok: 1 }, b: { die: 'refused' } } }, expect: { result: [1, null] } },
      {
        resume: { dryRun: true, agents: {} },
        expect: {
          plan: { hits: 1, misses: [{ label: 'b', reason: 'failed before' }] },
          dispatched: {},
          filesCreated: 0,
        },
      },
      { resume: { dryRun: true }, expect: { plan: { hits: 2, misses: [{ label: 'a' }] } } },
    ]
    expect(await fieldsMissed(runCase(single(two, steps)))).toEqual(['plan'])
  })
})

describe('skip', () => {
  it('ends an agent that runs', async () => {
    const launch: RunStep = { agents: { a: { ok: 1 }, b: { hang: true } }, skip: 'b' }
    const expected = { result: [1, null], degraded: false, census: { skipped: 1 } }
    expect(await runCase(single(two, [{ launch, expect: expected }]))).toEqual([])
  })

  it('is a problem when no such agent ran', async () => {
    const launch: RunStep = { agents: echo, skip: 'c' }
    expect(await fieldsMissed(runCase(single(two, [{ launch, expect: {} }])))).toEqual(['problem'])
  })
})

function single(source: string, steps: Step[]): Case {
  return { id: 'x', about: 'x', files: { 'main.js': source }, steps }
}

async function fieldsMissed(steps: ReturnType<typeof runCase>): Promise<string[]> {
  return (await steps).flatMap(({ misses }) => misses.map(({ field }) => field))
}
