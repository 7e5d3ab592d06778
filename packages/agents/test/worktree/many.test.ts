import { afterEach, beforeEach, expect, test } from 'vitest'
import { createShellBackend } from '../../src/shell/index.ts'
import { isolatedBackend } from '../../src/worktree/index.ts'
import { play } from '../stage/stage.ts'
import { createRepository, GIT_ENV, type TestRepository } from './repository.ts'

const ROUNDS = process.env['TUTTI_STRESS'] === '1' ? 50 : 2
const AGENTS = 16

let repository: TestRepository

beforeEach(() => {
  const files = Array.from(
    { length: 200 },
    (_, i) => [`src/${i % 10}/file-${i}.txt`, `content ${i}\n`] as const,
  )
  repository = createRepository(Object.fromEntries(files))
})

afterEach(() => repository[Symbol.dispose]())

test(`${AGENTS} agents at once, ${ROUNDS} rounds: none fails and the main checkout is untouched`, async () => {
  const { root } = repository
  const before = repository.state()
  // Two backends stand for two programs: they share nothing but the lock in the repository.
  const backends = [0, 1].map(() =>
    isolatedBackend(createShellBackend({ projectRoot: root, env: GIT_ENV, allowShell: true }), {
      projectRoot: root,
      env: GIT_ENV,
    }),
  )
  for (let round = 0; round < ROUNDS; round++) {
    const played = await Promise.all(
      Array.from({ length: AGENTS }, (_, i) =>
        play(backends[i % 2] as (typeof backends)[number], {
          label: `agent ${i}`,
          prompt:
            i % 2 === 0 ? `echo ${round} >> src/0/file-0.txt; git add -A; git status --short` : 'ls src',
          isolation: 'worktree',
        }),
      ),
    )
    expect(played.map(({ outcome }) => (outcome.status === 'ok' ? 'ok' : outcome.message))).toEqual(
      Array.from({ length: AGENTS }, () => 'ok'),
    )
    const kept = played.flatMap(({ outcome }) => (outcome.worktree ? [outcome.worktree] : []))
    expect(kept).toHaveLength(AGENTS / 2)
    expect(new Set(kept.map(tree => tree.branch)).size).toBe(AGENTS / 2)
    expect(kept.every(tree => tree.files.join() === 'src/0/file-0.txt')).toBe(true)
    expect(repository.trees()).toHaveLength(kept.length)
    for (const { path, branch } of kept) {
      repository.git('worktree', 'remove', path)
      repository.git('branch', '-D', branch ?? '')
    }
  }
  expect(repository.state()).toEqual(before)
}, 3_600_000)
