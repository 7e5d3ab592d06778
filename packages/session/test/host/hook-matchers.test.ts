import { describe, expect, test } from 'vitest'
import { hookMatches, readHookMatchers } from '../../src/host/hook-matchers.ts'

describe('matchers of hooks', () => {
  test.each([
    [undefined, 'Bash', true],
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['Edit|Write', 'Write', true],
    ['mcp__.*', 'mcp__a__b', true],
    ['Notebook.*', 'Read', false],
    ['Bash(', 'Bash(', true],
    ['Bash(', 'Bash', false],
    ['Bash', undefined, true],
    ['a'.repeat(2000), 'a'.repeat(2000), false],
  ])('%s of %s', (matcher, name, expected) => {
    expect(hookMatches(matcher, name)).toBe(expected)
  })

  test('what is none is left out', () => {
    const events = readHookMatchers({
      PreToolUse: [
        { matcher: 'Bash', hookCallbackIds: ['a', 'b', 7], timeout: 5, onFailure: 'block' },
        { hookCallbackIds: [] },
        'x',
        null,
      ],
      Stop: 'all',
      PostToolUse: [{ hookCallbackIds: ['c'], timeout: -1 }],
    })
    expect([...events]).toEqual([
      ['PreToolUse', [{ matcher: 'Bash', callbackIds: ['a', 'b'], timeoutMs: 5000, blockOnFailure: true }]],
      ['PostToolUse', [{ callbackIds: ['c'], timeoutMs: 60_000, blockOnFailure: false }]],
    ])
  })
})
