import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject, TWO_AGENTS } from '../support/sandbox-project.ts'

let project: SandboxProject
beforeEach(async () => {
  project = await createSandboxProject({ 'pair.js': TWO_AGENTS })
})
afterEach(() => project.remove())

describe('prune', () => {
  test('removes what ended long enough ago, with its files', async () => {
    const runId = await project.runOf({ '*': { echo: true } })
    expect((await project.tutti('prune', '--older-than', '1h')).out).toBe('0 runs removed, 0 B\n')
    // Nothing is younger than a millisecond for long.
    const { code, out } = await project.tutti('prune', '--older-than', '1ms')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^RUN .*\\n${runId} .* completed .* kB +pair\\n1 run removed, .* kB\\n$`))
    expect((await project.files()).filter(file => file.includes(runId))).toEqual([])
  })

  test('--dry-run only tells', async () => {
    await project.runOf({ '*': { echo: true } })
    const before = await project.tree()
    const { out } = await project.tutti('prune', '--older-than', '1ms', '--dry-run')
    expect(out).toContain('1 run would be removed')
    expect(await project.tree()).toEqual(before)
  })

  test('--json is the report; what can go on stays', async () => {
    await project.runOf({ '*': { die: 'quota' } })
    const { out } = await project.tutti('prune', '--older-than', '1ms', '--json')
    expect(JSON.parse(out)).toMatchObject({ dryRun: false, runs: [], kept: [] })
  })

  test('needs an age', async () => {
    expect((await project.tutti('prune')).code).toBe(2)
    expect((await project.tutti('prune', '--older-than', 'old')).err).toContain('must be a duration')
  })
})
