import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createShellBackend } from '../../src/shell/index.ts'
import {
  diffTree,
  discardTree,
  isolatedBackend,
  listTrees,
  mergeTree,
  type AgentTree,
} from '../../src/worktree/index.ts'
import { play } from '../stage/stage.ts'
import { createRepository, GIT_ENV, type TestRepository } from './repository.ts'

let project: TestRepository

beforeEach(() => (project = createRepository()))
afterEach(() => project[Symbol.dispose]())

/** An agent's work, kept. */
async function kept(command: string, label = 'work'): Promise<AgentTree> {
  const { root } = project
  const shell = createShellBackend({ projectRoot: root, env: GIT_ENV, allowShell: true })
  const backend = isolatedBackend(shell, { projectRoot: root, env: GIT_ENV })
  const { outcome } = await play(backend, { prompt: command, isolation: 'worktree', label })
  expect(outcome.status).toBe('ok')
  return named(outcome.worktree?.path ?? '')
}

const list = async (): Promise<AgentTree[]> => (await listTrees(project.root, GIT_ENV)).trees

async function named(path: string): Promise<AgentTree> {
  const tree = (await list()).find(one => one.path === path)
  if (!tree) throw new Error(`${path} is not listed`)
  return tree
}

const repository = async () => (await listTrees(project.root, GIT_ENV)).repository

function commitHere(): void {
  project.git('config', 'user.name', 'Test')
  project.git('config', 'user.email', 'test@localhost')
}

describe('the list', () => {
  test('names whom a tree was made for and what changed', async () => {
    const tree = await kept('echo x > c.txt', 'fix: c')
    expect(tree).toMatchObject({
      label: 'fix: c',
      runId: 'wf_00000000-000',
      files: ['c.txt'],
      state: 'changed',
    })
    expect(tree.branch).toMatch(/^tutti\//)
    expect(tree.inUseBy).toBeUndefined()
  })

  test('has a tree whose program was killed while it was made, and it can be removed', async () => {
    const { root } = project
    const folder = join(root, '.claude', 'worktrees')
    const half = join(folder, 'half')
    project.git('worktree', 'add', '--no-checkout', '--detach', '--lock', half)
    const tree = await named(half)
    expect(tree).toMatchObject({ state: 'clean', files: [], base: project.git('rev-parse', 'HEAD').trim() })
    expect(await discardTree(await repository(), tree)).toEqual({ kind: 'removed' })
    expect([await list(), existsSync(half)]).toEqual([[], false])
  })

  test('does not call a tree clean whose files an agent has all deleted', async () => {
    expect((await kept('rm -rf a.txt src')).state).toBe('changed')
  })

  test('leaves trees of others out', async () => {
    project.git('worktree', 'add', '--quiet', join(project.root, '..', 'other'))
    expect(await list()).toEqual([])
  })

  test('knows what is not committed', async () => {
    const tree = await kept('echo x > c.txt')
    writeFileSync(join(tree.path, 'd.txt'), 'more')
    expect(await named(tree.path)).toMatchObject({ state: 'uncommitted', files: ['c.txt', 'd.txt'] })
  })
})

test('the patch is from the commit the agent started at', async () => {
  const tree = await kept('echo more >> a.txt')
  writeFileSync(join(tree.path, 'd.txt'), 'more')
  const patch = await diffTree(await repository(), await named(tree.path))
  expect(patch).toContain('+more')
  expect(patch).toContain('New file, not committed: d.txt')
})

describe('merging', () => {
  test('tells beforehand what it would do, and touches nothing', async () => {
    const tree = await kept('echo x > c.txt')
    const before = project.state()
    expect(await mergeTree(await repository(), tree, { dryRun: true })).toEqual({
      kind: 'would merge',
      files: ['c.txt'],
    })
    expect(project.state()).toEqual(before)
  })

  test('brings the work into the checkout', async () => {
    commitHere()
    const tree = await kept('echo x > c.txt')
    expect(await mergeTree(await repository(), tree)).toEqual({ kind: 'merged', files: ['c.txt'] })
    expect(readFileSync(join(project.root, 'c.txt'), 'utf8')).toBe('x\n')
    expect(await named(tree.path)).toMatchObject({ state: 'merged' })
    expect(await mergeTree(await repository(), await named(tree.path))).toEqual({ kind: 'nothing to merge' })
  })

  test('with conflicts changes nothing and names the files', async () => {
    commitHere()
    const one = await kept('echo one > a.txt')
    const two = await kept('echo two > a.txt; echo x > new.txt')
    await mergeTree(await repository(), one)
    const before = project.state()
    expect(await mergeTree(await repository(), two)).toEqual({ kind: 'conflicts', files: ['a.txt'] })
    expect(project.state()).toEqual(before)
  })

  test('does not overwrite what is not committed in the checkout', async () => {
    commitHere()
    const tree = await kept('echo x > a.txt')
    project.write('a.txt', 'mine\n')
    expect(await mergeTree(await repository(), tree)).toMatchObject({ kind: 'refused' })
    expect(readFileSync(join(project.root, 'a.txt'), 'utf8')).toBe('mine\n')
  })

  test('runs the hooks, and what they refuse is taken back', async () => {
    commitHere()
    const tree = await kept('echo x > c.txt')
    const before = project.state()
    writeFileSync(join(project.root, '.git', 'hooks', 'pre-merge-commit'), '#!/bin/sh\nexit 1\n', {
      mode: 0o755,
    })
    expect(await mergeTree(await repository(), tree)).toMatchObject({ kind: 'refused' })
    expect(project.state()).toEqual(before)
  })

  test('of what is not committed is refused', async () => {
    const tree = await kept('echo x > c.txt')
    writeFileSync(join(tree.path, 'd.txt'), 'more')
    expect(await mergeTree(await repository(), await named(tree.path))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(tree.path),
    })
  })
})

describe('removing', () => {
  test('keeps the branch of what is not merged', async () => {
    const tree = await kept('echo x > c.txt')
    expect(await discardTree(await repository(), tree)).toEqual({ kind: 'removed', keptBranch: tree.branch })
    expect(existsSync(tree.path)).toBe(false)
    expect(project.git('show', `${tree.branch}:c.txt`)).toBe('x\n')
  })

  test('takes the branch of what is merged, too', async () => {
    commitHere()
    const tree = await kept('echo x > c.txt')
    await mergeTree(await repository(), tree)
    expect(await discardTree(await repository(), await named(tree.path))).toEqual({ kind: 'removed' })
    expect(project.git('branch', '--list', 'tutti/*')).toBe('')
  })

  test('refuses what is in no commit, unless it is forced', async () => {
    const tree = await kept('echo x > c.txt')
    writeFileSync(join(tree.path, 'd.txt'), 'more')
    const now = await named(tree.path)
    expect(await discardTree(await repository(), now)).toMatchObject({ kind: 'refused' })
    expect(existsSync(tree.path)).toBe(true)
    expect(await discardTree(await repository(), now, { force: true })).toMatchObject({ kind: 'removed' })
    expect(project.git('show', `${tree.branch}:c.txt`)).toBe('x\n')
  })
})

test('a tree with a repository of its own in the place of its own git does not keep the others from being listed', async () => {
  const good = await kept('echo new > c.txt', 'good')
  const { root } = project
  const shell = createShellBackend({ projectRoot: root, env: GIT_ENV, allowShell: true })
  const { outcome } = await play(isolatedBackend(shell, { projectRoot: root, env: GIT_ENV }), {
    prompt: 'rm .git; git init --quiet; echo x > x.txt',
    isolation: 'worktree',
    label: 'odd',
  })
  const odd = await named(outcome.worktree?.path ?? '')
  expect((await list()).map(({ name }) => name)).toContain(good.name)
  expect(odd).toMatchObject({ state: 'uncommitted', files: [] })
  expect(await discardTree(await repository(), odd)).toMatchObject({ kind: 'refused' })
  await expect(diffTree(await repository(), odd)).rejects.toThrow(/removed or replaced/)
})
