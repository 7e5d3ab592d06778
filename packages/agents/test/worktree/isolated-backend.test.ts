import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentOutcome } from '@tutti/runtime'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Backend } from '../../src/backend.ts'
import { createShellBackend } from '../../src/shell/index.ts'
import { isolatedBackend } from '../../src/worktree/index.ts'
import { callOf, play, stageFor } from '../stage/stage.ts'
import { createRepository, GIT_ENV, type TestRepository } from './repository.ts'

let repository: TestRepository
let before: object

beforeEach(() => {
  repository = createRepository()
  before = repository.state()
})

afterEach(() => repository[Symbol.dispose]())

function shellIn(projectRoot: string, env: NodeJS.ProcessEnv = GIT_ENV): Backend {
  const backend = createShellBackend({ projectRoot, env, allowShell: true })
  return isolatedBackend(backend, { projectRoot, env })
}

async function run(command: string, more: object = {}): Promise<AgentOutcome> {
  const played = await play(shellIn(repository.root), { prompt: command, isolation: 'worktree', ...more })
  return played.outcome
}

describe('a call with a worktree', () => {
  test('works in a checkout of HEAD below .claude/worktrees', async () => {
    const outcome = await run('pwd; cat a.txt; git rev-parse HEAD')
    expect(outcome.status).toBe('ok')
    const [path, content, head] = textOf(outcome).split('\n')
    expect(path).toContain(join(repository.root, '.claude', 'worktrees'))
    expect(content).toBe('a')
    expect(head).toBe(repository.git('rev-parse', 'HEAD').trim())
  })

  test('leaves nothing behind when nothing was changed', async () => {
    const outcome = await run('cat a.txt')
    expect(outcome).toMatchObject({ status: 'ok', effects: 'isolated' })
    expect(outcome.worktree).toBeUndefined()
    expect(repository.trees()).toEqual([])
    expect(repository.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
    expect(repository.state()).toEqual(before)
  })

  test.each([
    ['removes', 'rm .git'],
    ['replaces', 'rm .git; git init --quiet; git add --all'],
    ['points elsewhere', 'mkdir o; cd o; git init --quiet; cd ..; echo "gitdir: $PWD/o/.git" > .git'],
  ])('that %s its .git does not touch the checkout, and is kept', async (_, command) => {
    repository.write('staged.txt', 'mine\n')
    repository.git('add', 'staged.txt')
    repository.write('a.txt', 'my change\n')
    repository.write('mine.txt', 'mine\n')
    const mine = repository.state()
    const outcome = await run(`echo new > c.txt; ${command}`)
    expect(outcome.worktree).toMatchObject({
      problem: expect.stringMatching(/nothing was committed/),
      files: [],
    })
    expect(outcome.worktree).not.toHaveProperty('branch')
    expect(readFileSync(join(outcome.worktree?.path ?? '', 'c.txt'), 'utf8')).toBe('new\n')
    expect(repository.state()).toEqual(mine)
  })

  test('keeps changes on a branch, with the files that changed', async () => {
    const outcome = await run('echo more >> a.txt; echo new > c.txt')
    const { worktree } = outcome
    expect(worktree).toMatchObject({
      base: repository.git('rev-parse', 'HEAD').trim(),
      branch: expect.stringMatching(/^tutti\//),
      files: ['a.txt', 'c.txt'],
    })
    expect(readFileSync(join(worktree?.path ?? '', 'c.txt'), 'utf8')).toBe('new\n')
    expect(repository.git('show', `${worktree?.branch}:c.txt`)).toBe('new\n')
    expect(repository.state()).toEqual(before)
  })

  test('does not see, and does not touch, what is not committed', async () => {
    repository.write('a.txt', 'half done\n')
    repository.write('draft.txt', 'draft\n')
    before = repository.state()
    const outcome = await run('cat a.txt; ls; echo mine > a.txt')
    expect(outcome.status === 'ok' && outcome.value).toBe('a\na.txt\nsrc')
    expect(repository.state()).toEqual(before)
  })

  test('keeps the work of a command that failed', async () => {
    const outcome = await run('echo new > c.txt; exit 3')
    expect(outcome).toMatchObject({ status: 'failed', cause: 'command_failed', effects: 'isolated' })
    expect(outcome.worktree?.files).toEqual(['c.txt'])
  })

  test.each([
    ['commits', 'echo x > x; git add x; git -c user.name=a -c user.email=b commit -qm x'],
    [
      'commits that the tree was taken off again',
      'echo x > x; git add x; git -c user.name=a -c user.email=b commit -qm x; git checkout -q HEAD~1',
    ],
    ['a branch of its own', 'git switch -qc mine; echo x > x'],
    [
      'ignored files',
      'echo "*.log" > .git-ignore-for-now; mv .git-ignore-for-now .gitignore; echo x > report.log',
    ],
    ['deleted files', 'rm a.txt'],
  ])('keeps %s', async (_, command) => {
    const outcome = await run(command)
    expect(outcome.status).toBe('ok')
    expect(repository.trees()).toHaveLength(1)
    expect(outcome.worktree?.branch).toBeDefined()
  })

  test('keeps a file that the repository ignores, but not what tools fill again', async () => {
    repository.write('.gitignore', 'node_modules\n*.log\ntarget\n')
    repository.git('add', '--all')
    repository.git('-c', 'user.name=a', '-c', 'user.email=b', 'commit', '-qm', 'ignore')
    const disposable = await run(
      'mkdir -p node_modules/x target; echo 1 > node_modules/x/y; echo 1 > target/CACHEDIR.TAG',
    )
    expect(disposable.worktree).toBeUndefined()
    const kept = await run('echo result > report.log')
    expect(readFileSync(join(kept.worktree?.path ?? '', 'report.log'), 'utf8')).toBe('result\n')
  })

  test('does not commit the middle of a merge', async () => {
    const commit = 'git -c user.name=a -c user.email=b commit -qam'
    const outcome = await run(
      `git switch -qc one; echo 1 > a.txt; ${commit} 1; git switch -qc two HEAD~1; echo 2 > a.txt; ${commit} 2; git -c user.name=a -c user.email=b merge -q one; true`,
    )
    expect(outcome.worktree).toMatchObject({ problem: expect.stringContaining('merge') })
    expect(outcome.worktree?.branch).toBeUndefined()
    expect(readFileSync(join(outcome.worktree?.path ?? '', 'a.txt'), 'utf8')).toContain('<<<<<<<')
  })

  test('starts in the folder of the project when that is not the top of the repository', async () => {
    const { outcome } = await play(shellIn(join(repository.root, 'src')), {
      prompt: 'ls; echo new > c.txt',
      isolation: 'worktree',
    })
    expect(outcome).toMatchObject({ status: 'ok', value: 'b.txt', worktree: { files: ['src/c.txt'] } })
  })

  test('looks below its own tree for cwd', async () => {
    const outcome = await run('ls', { cwd: 'src' })
    expect(outcome.status === 'ok' && outcome.value).toBe('b.txt')
    expect(await run('ls', { cwd: '../..' })).toMatchObject({ cause: 'permission_denied' })
    expect(repository.trees()).toEqual([])
  })

  test('is not led to another repository by variables of the environment', async () => {
    using other = createRepository()
    const env = { ...GIT_ENV, GIT_DIR: join(other.root, '.git'), GIT_WORK_TREE: other.root }
    const { outcome } = await play(shellIn(repository.root, env), {
      prompt: 'echo x > x; git add x; git rev-parse --show-toplevel',
      isolation: 'worktree',
    })
    expect(outcome.status === 'ok' && outcome.value).toContain(repository.root)
    expect(other.state()).toMatchObject({ status: '## main\n' })
  })

  test('runs no hooks of the repository', async () => {
    const hook = join(repository.root, '.git', 'hooks', 'post-checkout')
    writeFileSync(hook, '#!/bin/sh\necho ran > "$GIT_DIR/hook-ran"\n', { mode: 0o755 })
    const preCommit = join(repository.root, '.git', 'hooks', 'pre-commit')
    writeFileSync(preCommit, '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const outcome = await run('echo x > x')
    expect(outcome.worktree?.branch).toBeDefined()
    expect(existsSync(join(repository.root, '.git', 'hook-ran'))).toBe(false)
  })

  test('passes calls without isolation through', async () => {
    const { outcome } = await play(shellIn(repository.root), { prompt: 'pwd' })
    expect(outcome).toMatchObject({ value: repository.root, effects: 'yes' })
  })

  test('is put away soon after it was stopped, with its work kept', async () => {
    const { context, stop } = await stageFor()
    const call = callOf({ prompt: 'echo x > x; echo ready; sleep 60', isolation: 'worktree' })
    const execution = shellIn(repository.root).start(call, context)
    for await (const event of execution.events) if (event.type === 'activity') stop.abort()
    const outcome = await execution.result
    expect(outcome).toMatchObject({ status: 'failed', cause: 'stopped', effects: 'isolated' })
    expect(outcome.worktree?.path).toContain(repository.trees()[0])
  })

  test('tells where it works before it begins', async () => {
    const { context, stop } = await stageFor()
    const call = callOf({ prompt: 'echo x > x', isolation: 'worktree' })
    const execution = shellIn(repository.root).start(call, context)
    const told: object[] = []
    for await (const event of execution.events) {
      if (event.type !== 'worktree') continue
      told.push(event.worktree)
      stop.abort()
    }
    expect(told).toEqual([
      {
        path: expect.stringContaining(join('.claude', 'worktrees')),
        base: repository.git('rev-parse', 'HEAD').trim(),
      },
    ])
    expect(await execution.result).toMatchObject({ status: 'failed', cause: 'stopped' })
  })

  test('removes a tree that was stopped while it was filled', async () => {
    const { context, stop } = await stageFor()
    const execution = shellIn(repository.root).start(
      callOf({ prompt: 'true', isolation: 'worktree' }),
      context,
    )
    stop.abort()
    expect(await execution.result).toMatchObject({ status: 'failed', cause: 'stopped' })
    expect(repository.trees()).toEqual([])
  })
})

describe('isolation_failed', () => {
  test('outside of a repository', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-plain-'))
    const { outcome } = await play(shellIn(folder), { prompt: 'true', isolation: 'worktree' })
    expect(outcome).toMatchObject({ cause: 'isolation_failed', message: expect.stringContaining('git init') })
    rmSync(folder, { recursive: true })
  })

  test('before the first commit', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-empty-'))
    repository.git('init', '--quiet', folder)
    const { outcome } = await play(shellIn(folder), { prompt: 'true', isolation: 'worktree' })
    expect(outcome).toMatchObject({
      cause: 'isolation_failed',
      message: expect.stringContaining('no commit'),
    })
    rmSync(folder, { recursive: true })
  })

  test('where the folder of the trees is a link to somewhere else', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'tutti-elsewhere-'))
    mkdirSync(join(repository.root, '.claude'))
    symlinkSync(elsewhere, join(repository.root, '.claude', 'worktrees'))
    expect(await run('true')).toMatchObject({
      cause: 'isolation_failed',
      message: expect.stringContaining('symbolic link'),
    })
    rmSync(elsewhere, { recursive: true })
  })

  test('where there is no git', async () => {
    const { outcome } = await play(shellIn(repository.root, { PATH: '/nowhere' }), {
      prompt: 'true',
      isolation: 'worktree',
    })
    expect(outcome).toMatchObject({ cause: 'isolation_failed', message: expect.stringContaining('git') })
  })

  test('where the project is no part of the commit', async () => {
    mkdirSync(join(repository.root, 'new'))
    const { outcome } = await play(shellIn(join(repository.root, 'new')), {
      prompt: 'true',
      isolation: 'worktree',
    })
    expect(outcome).toMatchObject({ cause: 'isolation_failed', message: expect.stringContaining('new') })
    expect(repository.trees()).toEqual([])
  })
})

function textOf(outcome: AgentOutcome): string {
  return outcome.status === 'ok' && typeof outcome.value === 'string' ? outcome.value : ''
}
