import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@tutti/protocol'
import type { AgentSuccess } from '../../src/ports/agent-executor.ts'
import type { SchemaValidator } from '../../src/schema/types.ts'
import type { Call } from '../../src/run/call.ts'
import {
  checkedOutcome,
  createSubmissions,
  MAX_SUBMISSIONS,
  retryPrompt,
} from '../../src/run/structured-output.ts'
import { noUsage } from '../../src/run/run-state.ts'

const onlyTrue: SchemaValidator = {
  validate: value => (value === true ? [] : [{ path: '/x', message: 'must be true' }]),
}
const call = { validator: onlyTrue, prompt: 'p', options: { schema: { type: 'object' } } } as unknown as Call
const ok = (value: JsonValue): AgentSuccess => ({ status: 'ok', value, usage: noUsage(), effects: 'none' })

describe('submissions', () => {
  it('are counted, refused with reasons, and end', () => {
    const submissions = createSubmissions(onlyTrue)
    expect(submissions.submit(1)).toEqual({
      accepted: false,
      issues: [{ path: '/x', message: 'must be true' }],
      left: 4,
    })
    expect(submissions.submit(true)).toMatchObject({ accepted: true, left: 3 })
    for (let i = 2; i < MAX_SUBMISSIONS; i++) submissions.submit(i)
    expect(submissions.submit(true)).toMatchObject({ accepted: false, left: 0 })
    expect(submissions.refused?.value).toBe(4)
  })
})

describe('an outcome against the schema', () => {
  it('is checked again, whatever the backend says', () => {
    const outcome = checkedOutcome({ call, outcome: ok(false), submissions: undefined, inLoop: true })
    expect(outcome).toMatchObject({ status: 'failed', cause: 'schema_rejected', lastInvalid: false })
  })

  it('is read from the final text of a backend without a loop, code fence or not', () => {
    for (const text of ['true', '```json\ntrue\n```', 'Here it is:\n```\ntrue\n```\nDone.']) {
      expect(
        checkedOutcome({ call, outcome: ok(text), submissions: undefined, inLoop: false }),
      ).toMatchObject({
        status: 'ok',
        value: true,
      })
    }
    expect(checkedOutcome({ call, outcome: ok('no'), submissions: undefined, inLoop: false })).toMatchObject({
      cause: 'schema_not_called',
      lastText: 'no',
    })
  })

  it('is a crash when JSON cannot hold it', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic['self'] = cyclic
    for (const value of [undefined, 1n, cyclic]) {
      const outcome = ok(value as unknown as JsonValue)
      const plain = { ...call, validator: undefined } as unknown as Call
      expect(checkedOutcome({ call: plain, outcome, submissions: undefined, inLoop: true })).toMatchObject({
        cause: 'crashed',
      })
    }
  })

  it('keeps the last refused submission with the failure', () => {
    const submissions = createSubmissions(onlyTrue)
    submissions.submit('x')
    const failed = {
      status: 'failed',
      cause: 'schema_rejected',
      message: 'm',
      usage: noUsage(),
      effects: 'none',
    } as const
    expect(checkedOutcome({ call, outcome: failed, submissions, inLoop: true })).toMatchObject({
      lastInvalid: 'x',
    })
  })
})

describe('the new prompt after a refused answer', () => {
  const rejected = {
    status: 'failed',
    cause: 'schema_rejected',
    message: 'why',
    usage: noUsage(),
    effects: 'none',
  } as const

  it('is given only to backends without a loop, with the reasons and the schema', () => {
    expect(retryPrompt(call, rejected, true)).toBeUndefined()
    expect(retryPrompt(call, { ...rejected, cause: 'refused' }, false)).toBeUndefined()
    expect(retryPrompt(call, rejected, false)).toMatch(/^p\n\n.*why.*\{"type":"object"\}$/s)
  })
})
