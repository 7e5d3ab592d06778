import { expect, test } from 'vitest'
import { EXIT, exitCodeOf } from '../src/exit-code.ts'
import { runEnd } from './support/runs.ts'

test('the numbers are what scripts rely on', () => {
  expect(EXIT).toEqual({
    completed: 0,
    failed: 1,
    badInput: 2,
    degraded: 3,
    paused: 4,
    hungUp: 129,
    interrupted: 130,
    quit: 131,
    terminated: 143,
  })
})

test.each([
  [{ status: 'completed' as const }, 0],
  [{ status: 'completed' as const, degraded: true }, 3],
  [{ status: 'failed' as const }, 1],
  [{ status: 'paused' as const }, 4],
  [{ status: 'killed' as const }, 143],
])('%j exits with %d', (end, code) => {
  expect(exitCodeOf(runEnd(end), EXIT.terminated)).toBe(code)
})
