import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentTree } from '@tutti/agents/worktree'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSandboxProject, type SandboxProject } from '../support/sandbox-project.ts'

const SCRIPT = `export const meta = { name: 'trees', description: 'Two agents in trees' }
return parallel(['one', 'two'].map(word => () =>
  agent('echo ' + word + ' > ' + (args?.same ? 'same' : word) + '.txt', { label: word, agentType: 'shell', isolation: 'worktree' })))
`

let project: SandboxProject

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: project.cwd, encoding: 'utf8' })
}

beforeEach(async () => {
  project = await createSandboxProject({ 'trees.js': SCRIPT, 'a.txt': 'a\n' })
  git('init', '--quiet')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@localhost')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'first')
})
afterEach(() => project.remove())

const run = (...argv: string[]): ReturnType<SandboxProject['tutti']> =>
  project.tutti('run', 'trees.js', ...argv, '--backend', 'simulate', '--allow-shell')

const names = async (): Promise<string[]> => {
  const { out } = await project.tutti('worktrees', '--json')
  return (JSON.parse(out) as { name: string }[]).map(({ name }) => name)
}

describe('worktrees', () => {
  test('of a run are listed, shown, merged and removed', async () => {
    expect((await run()).code).toBe(0)
    const { out } = await project.tutti('worktrees')
    expect(out).toMatch(/changed +1 +wf_\S+ +one/)
    const [first = ''] = await names()
    expect((await project.tutti('worktrees', 'diff', first)).out).toMatch(/^\+(one|two)$/m)
    const dry = await project.tutti('worktrees', 'merge', '--all', '--dry-run')
    expect(dry.out.match(/would merge: (one|two)\.txt/g)).toHaveLength(2)
    expect(git('status', '--porcelain')).toBe('')
    expect((await project.tutti('worktrees', 'merge', '--all')).code).toBe(0)
    expect(await readFile(join(project.cwd, 'one.txt'), 'utf8')).toBe('one\n')
    expect((await project.tutti('worktrees', 'rm', '--all')).out).toMatch(/removed\n.*removed\n$/)
    expect((await project.tutti('worktrees')).out).toBe('No agent of this project has left a worktree.\n')
  })

  test('of a run are told by show, with branch and files', async () => {
    await run()
    const [one] = (JSON.parse((await project.tutti('worktrees', '--json')).out) as AgentTree[]).filter(
      ({ label }) => label === 'one',
    )
    const shown = await project.tutti('show')
    expect(shown.out).toContain(`    one  branch ${one?.branch} · 1 file: one.txt\n    ${one?.path}\n`)
    const { worktrees } = JSON.parse((await project.tutti('show', '--json')).out) as { worktrees: object[] }
    expect(worktrees).toHaveLength(2)
    const { path, branch, base } = one ?? {}
    expect(worktrees).toContainEqual({ path, branch, base, files: ['one.txt'], agents: ['one'] })
  })

  test('that conflict are named, and nothing is merged for them', async () => {
    await run('same=true')
    const { code, out } = await project.tutti('worktrees', 'merge', '--all')
    expect(code).toBe(1)
    expect(out).toMatch(/not merged, conflicts in same\.txt/)
    expect(git('status', '--porcelain')).toBe('')
    const removed = await project.tutti('worktrees', 'rm', '--all')
    expect(removed.out).toMatch(/its work stays on the branch tutti\//)
  })

  test('are in the record of the run, and named when it ends', async () => {
    const { err } = await run()
    expect(err).toMatch(/^ {2}worktrees {5}2 worktrees kept: \S+-one-\w+, \S+-two-\w+; see tutti worktrees$/m)
    const { out } = await project.tutti('show', '--json')
    expect(out).toContain('"worktree":{"path":')
  })

  test('are gone on in by later agents; without them only what is recorded can be replayed', async () => {
    await project.write(
      'chain.js',
      `export const meta = { name: 'chain', description: 'One after the other' }
const shell = (command, options) => agent(command, { agentType: 'shell', ...options })
await shell('echo fixed > a.txt', { label: 'fix', isolation: 'worktree' })
return await shell('cat a.txt; git status --short', { label: 'verify', isolation: { from: 'fix' } })`,
    )
    const { code, out, err } = await project.tutti('run', 'chain.js', '--allow-shell', '--json')
    expect([code, out]).toEqual([0, '"fixed"\n'])
    expect(err).toContain('1 worktree kept')
    expect(await readFile(join(project.cwd, 'a.txt'), 'utf8')).toBe('a\n')
    await project.tutti('worktrees', 'rm', '--all')
    const again = await project.tutti('resume', '--allow-shell', '--json')
    expect([again.out, again.err.includes('agents=0 tokens=0')]).toEqual(['"fixed"\n', true])
    const [{ runId = '' } = {}] = JSON.parse((await project.tutti('ls', '--json')).out) as {
      runId?: string
    }[]
    const retried = await project.tutti('retry', runId, 'verify', '--allow-shell', '--json')
    expect([retried.code, retried.out]).toEqual([3, 'null\n'])
    expect(retried.err).toMatch(/verify: isolation_failed: the worktree .* is gone/)
  })

  test('need names, or --all, that are there', async () => {
    expect(await project.tutti('worktrees', 'merge')).toMatchObject({ code: 2 })
    const { code, err } = await project.tutti('worktrees', 'rm', 'none-such')
    expect(code).toBe(2)
    expect(err).toContain('none-such')
    expect((await project.tutti('worktrees', 'burn')).err).toContain('ls, diff, merge, rm')
  })
})

test('outside of a repository there are none to speak of', async () => {
  const other = await createSandboxProject()
  const { code, err } = await other.tutti('worktrees')
  expect(code).toBe(2)
  expect(err).toContain('git init')
  await other.remove()
})
