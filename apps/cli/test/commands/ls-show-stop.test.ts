import { readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { main } from '../../src/main.ts'
import {
  createSandboxProject,
  type SandboxProject,
  TWO_AGENTS,
  RUN_ID_IN_TEXT,
} from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('looking at runs', () => {
  async function oneRun(): Promise<string> {
    const { err } = await project.tutti(
      'run',
      'pair.js',
      '--json',
      await project.scripted({ '*': { echo: true } }),
    )
    return RUN_ID_IN_TEXT.exec(err)?.[0] ?? ''
  }

  test('ls lists them', async () => {
    expect((await project.tutti('ls')).out).toBe('This project has no runs yet.\n')
    const runId = await oneRun()
    const { out } = await project.tutti('ls')
    expect(out).toMatch(new RegExp(`^RUN .*\\n${runId} .* completed .* 2 .* pair\\n$`))
    const listed = JSON.parse((await project.tutti('ls', '--json')).out) as unknown[]
    expect(listed).toMatchObject([{ runId, workflowName: 'pair', status: 'completed', census: { ok: 2 } }])
  })

  test('ls --workflows lists saved ones, broken ones with their error', async () => {
    expect((await project.tutti('ls', '--workflows')).out).toContain('no saved workflows')
    await project.write('.claude/workflows/pair.js', TWO_AGENTS)
    await project.write('.claude/workflows/broken.js', 'nonsense(')
    const { out } = await project.tutti('ls', '--workflows')
    expect(out).toMatch(/pair +project +Two agents/)
    expect(out).toMatch(/broken +project +cannot be run: line 1/)
  })

  test('show tells everything, or one part', async () => {
    const runId = await oneRun()
    const { out } = await project.tutti('show', runId)
    expect(out).toContain('pair  completed')
    expect(out).toContain('hello from the script')
    expect(out).toMatch(/done +a/)
    expect((await project.tutti('show', '--result', '--json')).out).toBe('["say a","say b"]\n')
    expect((await project.tutti('show', '--script')).out).toBe(TWO_AGENTS)
    expect((await project.tutti('show', '--journal')).out).toContain('"type":"run_end"')
    expect(JSON.parse((await project.tutti('show', '--json')).out)).toMatchObject({
      runId,
      status: 'completed',
    })
  })

  test('show of an unknown run is bad input', async () => {
    expect((await project.tutti('show', 'wf_00000000-000')).code).toBe(2)
  })

  test('stop of an ended run says that it has ended', async () => {
    const runId = await oneRun()
    expect(await project.tutti('stop', runId)).toEqual({
      code: 0,
      out: `${runId} has already ended: completed\n`,
      err: '',
    })
  })

  test('stop of a run whose process is gone is refused and says how to go on', async () => {
    const runId = await oneRun()
    await changeRecord({ status: 'running' })
    const { code, err } = await project.tutti('stop', runId)
    expect(code).toBe(2)
    expect(err).toContain('is interrupted')
    expect(err).toContain(`tutti resume ${runId}`)
    expect((await project.tutti('ls')).out).toContain('interrupted')
    const { out } = await project.tutti('show', runId)
    expect(out).toContain('pair  interrupted')
    expect(out).toContain(`\n  resume        tutti resume ${runId}\n`)
  })

  test('a stopped run is called stopped, whoever asks', async () => {
    const runId = await oneRun()
    await changeRecord({ status: 'killed' })
    expect((await project.tutti('stop', runId)).out).toBe(`${runId} has already ended: stopped\n`)
    expect((await project.tutti('show')).out).toContain('pair  stopped')
    expect(JSON.parse((await project.tutti('show', '--json')).out)).toMatchObject({ status: 'killed' })
  })

  test('show of an unfinished run says how many calls wait for a slot', async () => {
    await oneRun()
    const row = { type: 'workflow_agent', agentId: 'k', key: 'k', n: 1, label: 'x', queuedAt: 1 }
    await changeRecord({
      status: 'running',
      census: { total: 8, ok: 1, cached: 0, failed: 0, stopped: 0, skipped: 0 },
      progress: [
        { ...row, index: 1, state: 'done', startedAt: 1 },
        { ...row, index: 2, state: 'start', startedAt: 1 },
        { ...row, index: 3, state: 'start', startedAt: 1 },
        { ...row, index: 4, state: 'start' },
      ],
    })
    expect((await project.tutti('show')).out).toContain('8 · 1 ok · 2 were at work · 5 waited for a slot\n')
  })

  test('show --result of a simulated run says so on standard error', async () => {
    await project.tutti('run', 'pair.js', '--quiet')
    const { out, err } = await project.tutti('show', '--result', '--json')
    expect(JSON.parse(out)).toHaveLength(2)
    expect(err).toBe('simulated: no model was asked; all answers were made up\n')
  })

  test('in a folder without runs the folder above that has some is named', async () => {
    await oneRun()
    await project.write('.git/HEAD', '')
    await project.write('src/deep/x.txt', '')
    const io = (): ReturnType<SandboxProject['io']> => project.io({ cwd: `${project.cwd}/src/deep` })
    const listing = io()
    await main(['ls'], listing)
    const hint = `${project.cwd} has 1 run: cd ../.. (a run is also found from here, by its id).`
    expect(listing.stdout.text()).toBe(`This folder has no runs.\n${hint}\n`)
    const resuming = io()
    expect(await main(['resume'], resuming)).toBe(2)
    expect(resuming.stderr.text()).toContain(`hint  ${hint}`)
  })

  async function changeRecord(changes: object): Promise<void> {
    const [run] = JSON.parse((await project.tutti('ls', '--json')).out) as { locations: { record: string } }[]
    const file = run!.locations.record
    const record = JSON.parse(await readFile(file, 'utf8')) as object
    await writeFile(file, JSON.stringify({ ...record, heartbeatAt: 0, ...changes }))
  }
})

describe('what a run cost', () => {
  const PRICES = JSON.stringify({ tutti: { prices: { 'some-model': { input: 1, output: 100 } } } })
  const priced = ['--settings', PRICES, '--model', 'some-model']

  test('is told per agent, phase and run, while it goes on, at its end, by show and by ls', async () => {
    const agents = await project.scripted({
      a: { ok: 'x', outputTokens: 5000 },
      b: { ok: 'y', outputTokens: 2000 },
    })
    const { err } = await project.tutti('run', 'pair.js', agents, ...priced)
    expect(err).toMatch(/done {4}Only › a \(5k tokens, \$0\.50, /)
    expect(err).toMatch(/\n {2}cost {10}\$0\.70\n/)
    const { out } = await project.tutti('show')
    expect(out).toMatch(/\n {2}cost {10}\$0\.70\n/)
    expect(out).toMatch(/\n {2}Only {2}\$0\.70\n/)
    expect(out).toMatch(/done {2}b {2}2k tokens, \$0\.20, /)
    expect((await project.tutti('ls')).out).toMatch(/TOKENS {2} COST .*\n.* \$0\.70 /)
  })

  test('is apart for earlier attempts, and cached agents cost nothing', async () => {
    const a = { ok: 'x', outputTokens: 5000 }
    const dying = await project.scripted({ a, b: { die: 'refused', outputTokens: 1000 } })
    await project.tutti('run', 'pair.js', dying, ...priced)
    const well = await project.scripted({ a, b: { ok: 'y', outputTokens: 2000 } })
    const { err } = await project.tutti('resume', well, '--settings', PRICES)
    expect(err).toContain('cached  Only › a\n')
    expect(err).toMatch(/\n {2}cost {10}\$0\.20 · earlier attempts \$0\.60\n/)
    expect(JSON.parse((await project.tutti('show', '--json')).out)).toMatchObject({
      usage: { costUsd: 0.2 },
      priorUsage: { costUsd: 0.6 },
      cost: { usd: 0.2, priorUsd: 0.6, phases: [{ title: 'Only', usd: 0.2, unknownAgents: 0 }] },
    })
  })

  test('is unknown where the model has no price', async () => {
    const agents = await project.scripted({ '*': { ok: 'x', outputTokens: 5 } })
    const { err } = await project.tutti('run', 'pair.js', agents, '--settings', PRICES, '--model', 'mystery')
    expect(err).toMatch(/done {4}Only › a \(5 tokens, cost unknown/)
    expect(err).toContain('cost          unknown for 2 agents; tutti.prices has no price for mystery')
  })
})
