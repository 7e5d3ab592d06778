import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startMockModel, type MockReply, type MockRequest } from '@tutti-internal/mock-model'
import type { PermissionSettings } from '@tutti/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createProcessGroups } from '../../src/process-groups.ts'
import { isolatedBackend } from '../../src/worktree/index.ts'
import { modelBackend } from '../model/backend-at.ts'
import { play, type Played } from '../stage/stage.ts'
import { createRepository, GIT_ENV, type TestRepository } from './repository.ts'

let repository: TestRepository
let before: object

beforeEach(() => {
  repository = createRepository({
    'a.txt': 'a\n',
    'src/b.txt': 'b\n',
    'secret.txt': 'hidden\n',
    'CLAUDE.md': 'Write tests first.\n',
    'src/AGENTS.md': 'Here is the source.\n',
  })
  before = repository.state()
})

afterEach(() => repository[Symbol.dispose]())

const use = (name: string, input: object): MockReply => ({ toolCalls: [{ name, input }] })
const done: MockReply = { text: 'done' }

interface Told extends Played {
  requests: MockRequest[]
}

async function tell(
  replies: MockReply[],
  given: Parameters<typeof play>[1] = {},
  { permissions = {}, ...more }: { permissions?: PermissionSettings; [field: string]: unknown } = {},
): Promise<Told> {
  await using server = await startMockModel({ replies })
  const projectRoot = repository.root
  const workspace = { projectRoot, env: GIT_ENV, permissions, ...more }
  const backend = isolatedBackend(modelBackend('anthropic', server.url, { workspace }), {
    projectRoot,
    env: GIT_ENV,
  })
  const played = await play(backend, { isolation: 'worktree', ...given })
  return { ...played, requests: server.requests }
}

const toolResults = ({ requests }: Told): string => JSON.stringify(requests.at(-1)?.body.messages)

describe('the built-in agent in a worktree', () => {
  test('writes, edits and runs commands there; the checkout is the same before and after', async () => {
    const told = await tell(
      [
        use('Write', { file_path: 'new.txt', content: 'new\n' }),
        use('Read', { file_path: 'a.txt' }),
        use('Edit', { file_path: 'a.txt', old_string: 'a', new_string: 'changed' }),
        use('Bash', { command: 'pwd; echo more >> src/b.txt; git status --short' }),
        done,
      ],
      {},
      { permissions: { allow: ['Bash'] } },
    )
    expect(told.outcome).toMatchObject({ status: 'ok', value: 'done', effects: 'isolated' })
    const { worktree } = told.outcome
    expect(worktree).toMatchObject({
      branch: expect.stringMatching(/^tutti\//),
      files: ['a.txt', 'new.txt', 'src/b.txt'],
    })
    expect(readFileSync(join(worktree?.path ?? '', 'a.txt'), 'utf8')).toBe('changed\n')
    expect(repository.git('show', `${worktree?.branch}:src/b.txt`)).toBe('b\nmore\n')
    expect(toolResults(told)).toContain(worktree?.path ?? 'no tree')
    expect(repository.state()).toEqual(before)
  })

  test('cannot read or write outside of it, the project itself included', async () => {
    const told = await tell([
      use('Read', { file_path: join(repository.root, 'a.txt') }),
      use('Write', { file_path: join(repository.root, 'a.txt'), content: 'x' }),
      use('Write', { file_path: '../../../a.txt', content: 'x' }),
      use('Read', { file_path: '/etc/hostname' }),
      done,
    ])
    expect(toolResults(told).match(/is outside of the project/g)).toHaveLength(4)
    expect(told.outcome.worktree).toBeUndefined()
    expect(repository.trees()).toEqual([])
    expect(repository.state()).toEqual(before)
  })

  test('is told the instructions and the place of its tree', async () => {
    const { requests } = await tell([done], { cwd: 'src' })
    const system = JSON.stringify(requests[0]?.body.system)
    expect(system).toContain('Write tests first.')
    expect(system).toContain('Here is the source.')
    expect(system).toContain(join(repository.root, '.claude', 'worktrees'))
    expect(system).not.toContain(`Project: ${repository.root}\\n`)
  })

  test('obeys the rules of the project, however they name a path', async () => {
    const permissions = {
      deny: ['Read(secret.txt)', 'Edit(/src/**)', `Edit(/${repository.root}/a.txt)`],
    }
    const told = await tell(
      [
        use('Read', { file_path: 'secret.txt' }),
        use('Write', { file_path: 'src/c.txt', content: 'x' }),
        use('Write', { file_path: 'a.txt', content: 'x' }),
        use('Grep', { pattern: 'hidden' }),
        use('Write', { file_path: '.claude/settings.json', content: '{}' }),
        done,
      ],
      {},
      { permissions },
    )
    const text = toolResults(told)
    for (const rule of ['rule Read(secret.txt)', 'rule Edit(/src/**)', 'a.txt)']) expect(text).toContain(rule)
    expect(text).not.toContain('secret.txt:1')
    // The tree lies below .claude, and is not protected for that; its own .claude is.
    expect(text).toContain('nobody is there to ask')
    expect(repository.trees()).toEqual([])
  })

  test('has servers of tools of its own, which work in its tree and end with it', async () => {
    const groups = createProcessGroups()
    const where = fileURLToPath(new URL('../mcp/servers/where.mjs', import.meta.url))
    const servers = { place: { command: process.execPath, args: [where] } }
    const told = await tell(
      [use('mcp__place__where', {}), done],
      {},
      { permissions: { allow: ['mcp__place'] }, mcp: { servers }, groups },
    )
    const [, cwd, pid] = /cwd=(\S+?) pid=(\d+)/.exec(toolResults(told)) ?? []
    expect(cwd).toContain(join(repository.root, '.claude', 'worktrees'))
    expect(() => process.kill(Number(pid), 0)).toThrow(/ESRCH/)
    expect(repository.trees()).toEqual([])
  })
})
