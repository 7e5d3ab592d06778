import type { JsonObject } from '@tutti/protocol'
import { describe, expect, test } from 'vitest'
import { readHookOutputs } from '../../src/host/hook-output.ts'

function specific(fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } }
}

describe('outputs of hooks', () => {
  test('nothing is said by none, by empty ones, and by those that answer later', () => {
    const nothing = { context: [], messages: [] }
    expect(readHookOutputs([])).toEqual(nothing)
    expect(readHookOutputs([{}, { continue: true, suppressOutput: true }])).toEqual(nothing)
    expect(readHookOutputs([{ async: true, decision: 'block' }])).toEqual(nothing)
    expect(
      readHookOutputs([{ continue: 'no', decision: 7, hookSpecificOutput: [], systemMessage: 1 }]),
    ).toEqual(nothing)
  })

  test('the strictest decision counts, with its reason', () => {
    const allow = specific({ permissionDecision: 'allow', permissionDecisionReason: 'fine' })
    const ask = specific({ permissionDecision: 'ask', permissionDecisionReason: 'hm' })
    const deny = specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' })
    expect(readHookOutputs([allow, ask]).permission).toEqual({ decision: 'ask', reason: 'hm' })
    expect(readHookOutputs([deny, ask, allow]).permission).toEqual({ decision: 'deny', reason: 'no' })
    expect(readHookOutputs([{ decision: 'approve' }]).permission).toEqual({ decision: 'allow' })
  })

  test('contexts and messages are kept in order, the last input counts', () => {
    const verdict = readHookOutputs([
      { ...specific({ additionalContext: 'a', updatedInput: { n: 1 } }), systemMessage: 'x' },
      { ...specific({ additionalContext: 'b', updatedInput: { n: 2 } }), systemMessage: 'y' },
      specific({ additionalContext: '' }),
    ])
    expect(verdict).toEqual({ context: ['a', 'b'], messages: ['x', 'y'], updatedInput: { n: 2 } })
  })

  test('the first reason to stop and to block counts', () => {
    const verdict = readHookOutputs([
      { continue: false, stopReason: 'enough' },
      { continue: false, reason: 'later' },
      { decision: 'block', reason: 'first' },
      { decision: 'block' },
    ])
    expect(verdict).toMatchObject({ stop: 'enough', block: 'first' })
    expect(readHookOutputs([{ continue: false }]).stop).toBe('a hook ended the turn')
  })
})
