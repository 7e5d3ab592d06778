import type { RunRecord } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { keptTreesText } from '../../src/render/kept-trees.ts'

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
