import { describe, expect, it } from 'vitest'
import { fc, test } from '@fast-check/vitest'
import { callKey, canonicalCall, type CallContent } from '../../src/run/call.ts'

const content = (change: Partial<CallContent> = {}): CallContent => ({
  path: '',
  prompt: 'p',
  options: {},
  agentType: { name: 'workflow-subagent', source: 'built-in' },
  backend: 'simulate',
  ...change,
})
const keyOf = (change?: Partial<CallContent>): string => callKey(canonicalCall(content(change)))

describe('the key of a call', () => {
  it('is fixed for all time within its version', () => {
    expect(canonicalCall(content())).toEqual({
      kind: 'agent',
      path: '',
      prompt: 'p',
      agentType: 'workflow-subagent',
      backend: 'simulate',
    })
    expect(keyOf()).toBe('v2:218668275fd466ab28b064a7b431a0078e95b53e9b27670d7364b8d5f535b545')
  })

  it.each([
    { prompt: 'q' },
    { path: '1:child' },
    { model: 'large' },
    { backend: 'model' },
    { agentType: { name: 'reviewer', source: 'f' } },
    { agentType: { name: 'workflow-subagent', source: 'f', hash: 'abc' } },
    { options: { schema: { type: 'object' } } },
    { options: { effort: 'low' } },
    { options: { tools: ['Read'] } },
    { options: { maxTurns: 3 } },
    { options: { isolation: 'worktree' } },
    { options: { cwd: 'sub' } },
  ] as Partial<CallContent>[])('changes with %j', change => {
    expect(keyOf(change)).not.toBe(keyOf())
  })

  it.each([
    { label: 'x' },
    { phase: 'P' },
    { timeoutMs: 5 },
    { stallMs: 5 },
    { retries: 1 },
    { cache: 'never' as const },
  ])('does not change with %j', options => {
    expect(keyOf({ options })).toBe(keyOf())
  })

  it('sees through ways to write the same directory', () => {
    const keys = ['a/b', './a//b/', 'a\\b'].map(cwd => keyOf({ options: { cwd } }))
    expect(new Set(keys).size).toBe(1)
  })

  test.prop([fc.dictionary(fc.string(), fc.jsonValue())])(
    'does not depend on the order of a schema’s keys',
    schema => {
      const turned = Object.fromEntries(Object.entries(schema).toReversed())
      const key = (value: unknown): string => keyOf({ options: { schema: value as never } })
      expect(key(turned)).toBe(key(schema))
    },
  )
})
