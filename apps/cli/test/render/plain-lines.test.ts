import { expect, test } from 'vitest'
import { createPlainLines } from '../../src/render/plain-lines.ts'
import { row } from '../support/runs.ts'

test('one line for each end, log and warning', () => {
  const lineOf = createPlainLines()
  const lines = [
    lineOf({ type: 'launched' }),
    lineOf({ type: 'warning', message: 'mind\nthis' }),
    lineOf({ type: 'agent', row: row(1) }),
    lineOf({
      type: 'agent',
      row: row(1, { state: 'done', phaseTitle: 'Scan', tokens: 1500, durationMs: 2000 }),
    }),
    lineOf({ type: 'agent', row: row(1, { state: 'done', tokens: 1500 }) }),
    lineOf({ type: 'agent', row: row(2, { state: 'cached', tokens: 0, durationMs: 0 }) }),
    lineOf({ type: 'agent', row: row(3, { state: 'error', cause: 'timeout', error: 'too\nslow' }) }),
    lineOf({
      type: 'agent',
      row: row(4, { state: 'error', cause: 'stopped', error: 'subagent aborted: x' }),
    }),
    lineOf({ type: 'log', row: { type: 'workflow_log', index: 1, message: 'found \u001b[31m3' } }),
  ]
  expect(lines.filter(line => line !== undefined)).toEqual([
    'warning mind …',
    'done    Scan › agent 1 (1.5k tokens, 2.0s)',
    'cached  agent 2',
    'failed  agent 3 — timeout: too slow',
    'stopped agent 4',
    'log     found [31m3',
  ])
})
