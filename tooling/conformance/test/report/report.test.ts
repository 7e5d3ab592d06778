import { describe, expect, it } from 'vitest'
import { isWrong, lines, type Verdict } from '../../src/report/report.ts'

const good: Verdict = { name: 'script/x', ms: 12.4, steps: [] }
const bad: Verdict = {
  ...good,
  steps: [{ step: 2, kind: 'resume', misses: [{ field: 'status', wanted: 'completed', actual: 'failed' }] }],
}

describe('the report of a case', () => {
  it('is one line when it holds', () => {
    expect(lines(good)).toEqual(['✓ script/x (12 ms)'])
    expect(isWrong(good)).toBe(false)
  })

  it('names step, field and both values when it does not', () => {
    expect(lines(bad)).toEqual([
      '✗ script/x (12 ms)',
      '    step 2 (resume): status',
      '      - "completed"',
      '      + "failed"',
    ])
    expect(isWrong(bad)).toBe(true)
  })

  it('gives the reason of an expected failure', () => {
    expect(lines({ ...bad, expectedFailure: 'later' })).toEqual([
      '✓ script/x (12 ms) fails as expected: later',
    ])
    expect(isWrong({ ...bad, expectedFailure: 'later' })).toBe(false)
  })

  it('complains when an expected failure holds', () => {
    expect(lines({ ...good, expectedFailure: 'later' })[1]).toContain('take it off the list')
    expect(isWrong({ ...good, expectedFailure: 'later' })).toBe(true)
  })
})
