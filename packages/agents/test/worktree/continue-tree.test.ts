import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorktreeReport } from '@tutti/protocol'
import type { AgentOutcome } from '@tutti/runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { createShellBackend } from '../../src/shell/index.ts'
import { isolatedBackend } from '../../src/worktree/index.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'
import { createRepository, GIT_ENV, type TestRepository } from './repository.ts'

let repository: TestRepository
let before: object
let backend: Backend

beforeEach(() => {
  repository = createRepository()
  before = repository.state()
  const projectRoot = repository.root
  const shell = createShellBackend({ projectRoot, env: GIT_ENV, allowShell: true })
  backend = isolatedBackend(shell, { projectRoot, env: GIT_ENV })
})

afterEach(() => repository[Symbol.dispose]())

async function run(prompt: string, isolation: 'worktree' | { from: WorktreeReport }): Promise<AgentOutcome> {
  return (await play(backend, { prompt, isolation })).outcome
}

async function treeAfter(prompt: string): Promise<WorktreeReport> {
  const { worktree } = await run(prompt, 'worktree')
  if (!worktree) throw new Error('no tree was kept')
  return worktree
}

describe('an agent in the worktree of an earlier one', () => {
  test('sees its work, adds to it on the same branch, and tells all that changed', async () => {
    const first = await treeAfter('echo more >> a.txt')
    const outcome = await run('cat a.txt; echo new > c.txt', { from: first })
    expect(outcome).toMatchObject({ status: 'ok', value: 'a\nmore', effects: 'isolated' })
    expect(outcome.worktree).toEqual({ ...first, files: ['a.txt', 'c.txt'] })
    expect(repository.git('show', `${first.branch}:c.txt`)).toBe('new\n')
    expect(repository.trees()).toHaveLength(1)
    expect(repository.state()).toEqual(before)
  })

  test('that changes nothing leaves it as it was', async () => {
    const first = await treeAfter('echo more >> a.txt')
    const head = repository.git('rev-parse', first.branch ?? '')
    const outcome = await run('git status --short', { from: first })
    expect(outcome).toMatchObject({ status: 'ok', value: '', worktree: first })
    expect(repository.git('rev-parse', first.branch ?? '')).toBe(head)
  })

  test('that takes all of it back keeps the tree: the commits are nowhere else', async () => {
    const first = await treeAfter('echo new > c.txt')
    const outcome = await run(`git reset -q --hard ${first.base}`, { from: first })
    expect(outcome.worktree).toEqual({ ...first, files: [] })
  })

  test('finishes a merge that an earlier one was in the middle of', async () => {
    const commit = 'git -c user.name=a -c user.email=b commit -qam'
    const first = await treeAfter(
      `git switch -qc one; echo 1 > a.txt; ${commit} 1; git switch -qc two HEAD~1; echo 2 > a.txt; ${commit} 2; git -c user.name=a -c user.email=b merge -q one; true`,
    )
    expect(first.branch).toBeUndefined()
    const outcome = await run(`echo both > a.txt; git add a.txt; ${commit} merged`, { from: first })
    expect(outcome.worktree).toMatchObject({ path: first.path, branch: 'two', files: ['a.txt'] })
  })

  test('waits for another one there: of many at once none sees half of the work of another', async () => {
    const first = await treeAfter('echo 0 > count.txt')
    const step = 'n=$(cat count.txt); sleep 0.05; echo $((n + 1)) > count.txt'
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => run(step, { from: first })))
    expect(outcomes.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 'ok'))
    expect(readFileSync(join(first.path, 'count.txt'), 'utf8')).toBe('6\n')
    expect(
      repository.git('log', '--format=%s', `${first.base}..${first.branch}`).trim().split('\n'),
    ).toHaveLength(7)
    expect(repository.state()).toEqual(before)
  })

  test('that is stopped while it waits lets the next one in', async () => {
    const first = await treeAfter('echo new > c.txt')
    const { context, stop } = await stageFor()
    const working = run('sleep 0.3', { from: first })
    const waiting = backend.start(callOf({ prompt: 'true', isolation: { from: first } }), context)
    const third = run('echo third', { from: first })
    stop.abort()
    expect(await waiting.result).toMatchObject({ status: 'failed', cause: 'stopped' })
    expect(await working).toMatchObject({ status: 'ok' })
    expect(await third).toMatchObject({ status: 'ok', value: 'third' })
  })

  test('is isolation_failed, and says so, when the tree is gone', async () => {
    const first = await treeAfter('echo new > c.txt')
    repository.git('worktree', 'remove', '--force', first.path)
    expect(await run('true', { from: first })).toMatchObject({
      cause: 'isolation_failed',
      message: expect.stringContaining('is gone'),
    })
  })

  test('is isolation_failed for a place that is no worktree of an agent', async () => {
    const first = await treeAfter('echo new > c.txt')
    const beside = join(repository.root, '.claude', 'worktrees', 'plain')
    const link = join(repository.root, '.claude', 'worktrees', 'link')
    mkdirSync(beside)
    symlinkSync(first.path, link)
    for (const path of [repository.root, '/etc', beside, link, join(first.path, 'src')]) {
      const outcome = await run('echo x > x', { from: { ...first, path } })
      expect(outcome).toMatchObject({ status: 'failed', cause: 'isolation_failed' })
    }
    rmSync(link)
    rmSync(beside, { recursive: true })
    expect(repository.state()).toEqual(before)
  })

  test('is isolation_failed while the process that works there lives', async () => {
    const first = await treeAfter('echo new > c.txt')
    const admin = repository.git('-C', first.path, 'rev-parse', '--absolute-git-dir').trim()
    const note = JSON.parse(readFileSync(join(admin, 'tutti.json'), 'utf8')) as object
    writeFileSync(join(admin, 'tutti.json'), JSON.stringify({ ...note, pid: 1 }))
    expect(await run('true', { from: first })).toMatchObject({
      cause: 'isolation_failed',
      message: expect.stringContaining('in use by process 1'),
    })
  })
})
