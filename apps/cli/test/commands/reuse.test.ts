import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectSlug } from '@tutti/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

const FOREIGN = 'wf_abcdef-other'
const SESSION = '00000000-0000-4000-8000-0000000000cc'

let project: SandboxProject
let folder: string
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
  const session = join(project.root, 'projects', projectSlug(project.cwd), SESSION)
  folder = join(session, 'subagents/workflows', FOREIGN)
})
afterEach(() => project.remove())

/** A run of Claude Code with these agents: prompt and answer each. */
async function foreignRun(agents: [string, string][]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const rows = agents.map(([prompt], at) => ({
    type: 'workflow_agent',
    index: at + 1,
    agentId: `a${at}`,
    label: prompt,
    state: 'done',
  }))
  const records = join(folder, '../../../workflows')
  await mkdir(records, { recursive: true })
  await writeFile(
    join(records, `${FOREIGN}.json`),
    JSON.stringify({
      runId: FOREIGN,
      workflowName: 'elsewhere',
      status: 'completed',
      startTime: 1_785_000_000_000,
      durationMs: 4000,
      result: ['x'],
      agentCount: rows.length,
      totalTokens: 1234,
      workflowProgress: rows,
      script: 'return 1',
    }),
  )
  for (const [at, [prompt, answer]] of agents.entries()) {
    const lines = [
      { type: 'user', message: { role: 'user', content: prompt } },
      {
        type: 'assistant',
        message: { role: 'assistant', content: [{ type: 'text', text: answer }], stop_reason: 'end_turn' },
      },
    ]
    await writeFile(
      join(folder, `agent-a${at}.jsonl`),
      lines.map(line => `${JSON.stringify(line)}\n`).join(''),
    )
  }
}

describe('run --reuse', () => {
  test('takes results over by their prompts, and lists what was taken and what was not', async () => {
    await foreignRun([
      ['say a', 'from elsewhere'],
      ['say z', 'nobody asks'],
    ])
    const table = await project.scripted({ b: { ok: 'fresh' } })
    const { code, out, err } = await project.tutti('run', 'pair.js', '--reuse', folder, table, '--json')
    expect([code, out]).toEqual([0, '["from elsewhere","fresh"]\n'])
    expect(err).toContain(`Reuse: 2 finished agents of a claude-code run (${folder}).`)
    expect(err).toContain('\ncached  Only › a\n')
    expect(err).toContain('  taken over\n    a\n')
    expect(err).toContain(
      '1 results of the other run were not used:\n      say z (a1): no call had its prompt',
    )
    expect(err).toContain('agents=1 ')
  })

  test('also by the id of a run of this project', async () => {
    const table = await project.scripted({ '*': { echo: true } })
    const runId = await project.runOf({ '*': { echo: true } })
    const { err } = await project.tutti('run', 'pair.js', '--reuse', runId, table)
    expect(err).toContain('Reuse: 2 finished agents of a tutti run')
    expect(err).toContain('  taken over\n    a\n    b\n')
    expect(err).toContain('agents=0 tokens=0')
    await foreignRun([['say a', 'x']])
    expect((await project.tutti('run', 'pair.js', '--reuse', FOREIGN, table)).err).toContain(
      'of a claude-code run',
    )
  })

  test('says when nothing could be taken', async () => {
    await foreignRun([['another prompt', 'x']])
    const { err } = await project.tutti('run', 'pair.js', '--reuse', folder, '--backend', 'simulate')
    expect(err).toContain('  taken over\n    nothing: no call had a prompt of the other run\n')
  })

  test('of a path without a run is bad input and makes nothing', async () => {
    const { code, err } = await project.tutti('run', 'pair.js', '--reuse', 'nowhere')
    expect(code).toBe(2)
    expect(err).toContain('code  run-not-found')
    expect(await project.files()).toEqual([])
  })

  test('the run of the other product stays as it is', async () => {
    await foreignRun([['say a', 'x']])
    const before = await project.tree()
    await project.tutti('run', 'pair.js', '--reuse', folder, '--backend', 'simulate')
    const after = await project.tree()
    expect(after).toMatchObject(
      Object.fromEntries(Object.entries(before).filter(([path]) => path.startsWith(folder))),
    )
  })
})

describe('runs of other products', () => {
  test('are listed with the name of the product, newest first', async () => {
    await foreignRun([['say a', 'x']])
    const runId = await project.runOf({ '*': { echo: true } })
    const { out } = await project.tutti('ls')
    const [, first, second] = out.split('\n')
    expect(first).toContain(runId)
    expect(second).toMatch(
      new RegExp(
        `^${FOREIGN} +2026-07-2\\d \\d\\d:\\d\\d:\\d\\d +completed \\(Claude Code\\) +1 +1.2k +elsewhere$`,
      ),
    )
    const json = JSON.parse((await project.tutti('ls', '--json')).out) as object[]
    expect(json[1]).toMatchObject({ runId: FOREIGN, product: 'claude-code' })
  })

  test('are shown, in whole or a part', async () => {
    await foreignRun([['say a', 'x']])
    const { code, out } = await project.tutti('show', FOREIGN)
    expect(code).toBe(0)
    expect(out).toContain('elsewhere  completed (Claude Code)')
    expect(out).toContain('    done  say a')
    expect(out).toContain(`tutti run <script.js> --reuse ${FOREIGN}`)
    expect((await project.tutti('show', FOREIGN, '--result', '--json')).out).toBe('["x"]\n')
    expect((await project.tutti('show', FOREIGN, '--script')).out).toContain('return 1')
    expect((await project.tutti('show', FOREIGN, '--journal')).err).toContain('has no journal')
    expect(JSON.parse((await project.tutti('show', FOREIGN, '--json')).out)).toMatchObject({
      product: 'claude-code',
    })
  })

  test('cannot be gone on with in place, and the way to reuse them is told', async () => {
    await foreignRun([['say a', 'x']])
    const { code, err } = await project.tutti('resume', FOREIGN)
    expect(code).toBe(2)
    expect(err).toContain(`--reuse ${folder}`)
  })
})
