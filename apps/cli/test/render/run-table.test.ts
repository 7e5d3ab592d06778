import { describe, expect, test } from 'vitest'
import { runTable, type ListedRun } from '../../src/render/run-table.ts'
import { tableLines } from '../../src/render/table.ts'
import { textWidth } from '../../src/render/text-width.ts'

const NOW = new Date(2026, 10, 4).getTime()

function run(changes: Partial<ListedRun> = {}): ListedRun {
  return {
    latest: 0,
    runId: 'wf_0000000a-abc',
    startedAt: new Date(2026, 10, 3, 14, 5, 9).getTime(),
    status: 'completed',
    simulated: true,
    calls: 13,
    tokens: 4200,
    workflow: 'review-changes',
    args: '',
    ...changes,
  }
}

describe('the list of runs', () => {
  test('has everything where there is room, arguments too', () => {
    expect(runTable([run({ args: '{"dir":"src"}' })], { width: 120, now: NOW })).toEqual([
      'RUN              STARTED              STATUS                 CALLS  TOKENS  WORKFLOW        ARGS',
      'wf_0000000a-abc  2026-11-03 14:05:09  completed (simulated)     13    4.2k  review-changes  {"dir":"src"}',
    ])
  })

  test('leaves arguments out before it shortens anything', () => {
    const lines = runTable([run({ args: '{"dir":"src"}' })], { width: 94, now: NOW })
    expect(lines[0]).toMatch(/WORKFLOW$/)
    expect(lines[1]).toContain('completed (simulated)')
  })

  test('of 80 columns shortens dates and states, then cuts names once', () => {
    const lines = runTable([run({ workflow: 'review-all-the-changes' }), run({ status: 'interrupted' })], {
      width: 80,
      now: NOW,
    })
    expect(lines).toEqual([
      'RUN              STARTED         STATUS             CALLS  TOKENS  WORKFLOW',
      'wf_0000000a-abc  11-03 14:05:09  completed (sim)       13    4.2k  review-all-t…',
      'wf_0000000a-abc  11-03 14:05:09  interrupted (sim)     13    4.2k  review-chang…',
    ])
  })

  test.each([40, 60, 72, 79, 80, 81, 100])('is never wider than %d columns', width => {
    const runs = [run({ status: 'completed with failures', workflow: 'x'.repeat(60), args: '1' }), run()]
    for (const line of runTable(runs, { width, now: NOW })) expect(textWidth(line)).toBeLessThanOrEqual(width)
  })
})

test('a table cuts the last column first, and only those that may be cut', () => {
  const columns = [{ title: 'A', least: 4 }, { title: 'B' }, { title: 'C', least: 3 }]
  expect(tableLines(columns, [['aaaaaa', 'bbbbbb', 'cccccc']], 18)).toEqual([
    'A      B       C',
    'aaaa…  bbbbbb  cc…',
  ])
})
