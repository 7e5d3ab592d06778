import { describe, expect, it } from 'vitest'
import type { Expectation } from '../../src/case/types.ts'
import { findMisses } from '../../src/expect/misses.ts'
import { nothingHappened, type StepOutcome } from '../../src/steps/outcome.ts'

const ended: Partial<StepOutcome> = {
  status: 'completed',
  degraded: true,
  result: { a: [1, null] },
  census: { total: 3, ok: 1, failed: 2 },
  failures: [
    { label: 'b', cause: 'stalled', message: 'm' },
    { label: 'a', cause: 'refused', message: 'm' },
    { label: 'b', cause: 'crashed', message: 'm' },
  ],
  rows: [{ label: 'a', attempt: 2 }],
  dispatched: { a: 1, b: 2 },
  cached: 2,
  maxInFlight: 3,
  wallMs: 500,
  error: { code: 'deadlock', message: 'waits on nothing at workflow.js:3' },
  wire: ['task_started', 'task_updated:killed', 'task_progress', 'task_notification:stopped'],
}

describe('an expectation that holds', () => {
  it.each<[string, Expectation]>([
    ['nothing', {}],
    ['equal words', { status: 'completed', degraded: true }],
    ['a value with its keys in any order', { result: { a: [1, null] } }],
    ['some fields of the census', { census: { ok: 1 } }],
    [
      'entries by label in any order, twins each once',
      { failures: [{ label: 'a' }, { label: 'b', cause: 'crashed' }, { label: 'b', cause: 'stalled' }] },
    ],
    [
      'dispatches, zeros left out',
      { dispatched: { a: 1, b: 2, c: 0 }, dispatchedTotal: 3, dispatchedAtMost: 3 },
    ],
    ['bounds', { cachedAtLeast: 2, maxInFlight: 3, withinMs: 500 }],
    ['code and message', { errorCode: 'deadlock', messageIncludes: ['nothing', 'workflow.js:3'] }],
    [
      'frames in order with others between',
      { wireOrder: ['task_updated:killed', 'task_notification:stopped'] },
    ],
    ['one of several values', { resultIn: [1, { a: [1, null] }] }],
    ['the other status', { resultIn: [1], orStatus: 'completed' }],
  ])('%s', (_, expectation) => {
    expect(findMisses(expectation, outcome())).toEqual([])
  })
})

describe('an expectation that does not hold', () => {
  it.each<[string, Expectation]>([
    ['another word', { status: 'failed' }],
    ['false instead of true', { degraded: false }],
    ['another value', { result: { a: [1] } }],
    ['null where there is a value', { result: null }],
    ['a field that is not there', { census: { skipped: 0 } }],
    ['an entry that is not there', { failures: [{ label: 'c' }] }],
    ['one twin too many', { failures: [{ label: 'b' }, { label: 'b' }, { label: 'b' }] }],
    ['no entries where there are some', { failures: [] }],
    ['a label that was dispatched unasked', { dispatched: { a: 1 } }],
    ['too many dispatches', { dispatchedAtMost: 2 }],
    ['too few from the cache', { cachedAtLeast: 3 }],
    ['another number from the cache', { cached: 3 }],
    ['too many at once', { maxInFlight: 2 }],
    ['too slow', { withinMs: 499 }],
    ['a part missing in the message', { messageIncludes: ['nothing', 'everything'] }],
    ['frames in another order', { wireOrder: ['task_notification:stopped', 'task_updated:killed'] }],
    ['none of the values and another status', { resultIn: [1], orStatus: 'failed' }],
    ['no refusal', { inputErrorCode: 'script-invalid' }],
    ['no plan', { plan: { hits: 1 } }],
  ])('%s', (_, expectation) => {
    expect(findMisses(expectation, outcome()).map(({ field }) => field)).toContain(
      Object.keys(expectation)[0],
    )
  })

  it('is a refusal that nobody asked about', () => {
    const refused = { ...nothingHappened(), refusal: { code: 'script-invalid', message: 'meta' } }
    expect(findMisses({ dispatched: {} }, refused)).toHaveLength(1)
    expect(findMisses({ inputErrorCode: 'script-invalid', messageIncludes: 'meta' }, refused)).toEqual([])
  })

  it('is a problem that the step reports', () => {
    const outcome = { ...nothingHappened(), problems: ['no entry for `x`'] }
    expect(findMisses({}, outcome)).toEqual([
      { field: 'problem', wanted: 'none', actual: 'no entry for `x`' },
    ])
  })
})

function outcome(): StepOutcome {
  return { ...nothingHappened(), ...ended }
}
