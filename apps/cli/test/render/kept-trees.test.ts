import type { RunRecord, WorktreeReport } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { keptTreeLines, keptTrees, keptTreesText } from '../../src/render/kept-trees.ts'

function recordWith(...names: (string | undefined)[]): Pick<RunRecord, 'progress'> {
  return {
    progress: names.map((name, i) => ({
      type: 'workflow_agent',
      index: i + 1,
      agentId: 'k',
      key: 'k',
      n: i + 1,
      label: `a${i}`,
      state: 'done',
      ...(name !== undefined && { worktree: { path: `/p/.claude/worktrees/${name}`, base: 'b', files: [] } }),
    })),
  }
}

const text = (...names: (string | undefined)[]): string | undefined =>
  keptTreesText(recordWith(...names), 'tutti worktrees')

describe('the line about worktrees', () => {
  test('names those that were kept, and the command that shows them', () => {
    expect(text('one')).toBe('1 worktree kept: one; see tutti worktrees')
    expect(text('one', undefined, 'two')).toBe('2 worktrees kept: one, two; see tutti worktrees')
  })

  test('counts a tree that several agents worked in once', () => {
    expect(text('one', 'one')).toBe('1 worktree kept: one; see tutti worktrees')
  })

  test('names three of many', () => {
    expect(text('a', 'b', 'c', 'd', 'e')).toBe('5 worktrees kept: a, b, c, … and 2 more; see tutti worktrees')
  })

  test('is not there when none was kept', () => {
    expect(text(undefined)).toBeUndefined()
    expect(text()).toBeUndefined()
  })

  test('shows no control characters of a name', () => {
    expect(text('x\u001b[2J')).not.toContain('\u001b')
  })
})

describe('the worktrees of a run', () => {
  const path = '/p/.claude/worktrees/one'
  const at = (tree: Partial<WorktreeReport>): Pick<RunRecord, 'progress'> => {
    const record = recordWith('one')
    for (const row of record.progress)
      if (row.type === 'workflow_agent') row.worktree = { path, base: 'b', files: [], ...tree }
    return record
  }

  test('are told with agent, branch, files and place', () => {
    const lines = keptTreeLines(at({ branch: 'tutti/one', files: ['a.txt', 'src/b.txt'] }))
    expect(lines).toEqual([`a0  branch tutti/one · 2 files: a.txt, src/b.txt\n${path}`])
  })

  test('are told with what is the matter with them', () => {
    expect(keptTreeLines(at({ problem: 'in the middle of a merge' }))).toEqual([
      `a0  on no branch · in the middle of a merge\n${path}`,
    ])
  })

  test('name five of many files, and count the rest', () => {
    const [line] = keptTreeLines(at({ branch: 'x', files: 'abcdefgh'.split(''), moreFiles: 100 }))
    expect(line).toContain('108 files: a, b, c, d, e, … and 103 more')
  })

  test('that several agents worked in are told once, as the last one left them', () => {
    const { progress } = at({ files: ['a'] })
    const later = at({ files: ['a', 'b'] }).progress
    expect(keptTrees({ progress: [...progress, ...later] })).toEqual([
      { path, base: 'b', files: ['a', 'b'], agents: ['a0', 'a0'] },
    ])
  })
})
