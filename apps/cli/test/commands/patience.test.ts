import type { RunRecord } from '@tutti/protocol'
import type { RunEnd } from '@tutti/runtime'
import { expect, test } from 'vitest'
import { createPatience } from '../../src/commands/patience.ts'
import { runEnd } from '../support/runs.ts'

const MINUTE = 60_000
const NOW = 1_785_000_000_000

function paused(changes: Partial<RunEnd> = {}, ok = 0): RunEnd {
  const census: RunRecord['census'] = { total: 1, ok, cached: 0, failed: 1, stopped: 0, skipped: 0 }
  return runEnd({ status: 'paused', pausedBy: 'quota', ...changes }, { census })
}

/** The waits, in minutes, of attempts that all end like this. */
function waits(times: number, end = paused()): (number | undefined)[] {
  const patience = createPatience()
  return Array.from({ length: times }, () => {
    const until = patience.next(end, NOW)
    return until === undefined ? undefined : (until - NOW) / MINUTE
  })
}

test('the reset time is waited for, with a second to spare', () => {
  const end = paused({ resetAt: NOW + 5 * 60 * MINUTE })
  expect(createPatience().next(end, NOW)).toBe(NOW + 5 * 60 * MINUTE + 1000)
})

test('a reset time of many days is waited for as well', () => {
  const resetAt = NOW + 40 * 24 * 60 * MINUTE
  expect(createPatience().next(paused({ resetAt }), NOW)).toBe(resetAt + 1000)
})

test('without one the waits grow from one minute to thirty', () => {
  expect(waits(7)).toEqual([1, 2, 4, 8, 16, 30, 30])
})

test('they end before they add up to more than a day', () => {
  const all = waits(60)
  const end = all.indexOf(undefined)
  const sum = all.slice(0, end).reduce<number>((total, wait) => total + (wait ?? 0), 0)
  expect(sum).toBeLessThanOrEqual(24 * 60)
  expect(sum).toBeGreaterThan(23 * 60)
})

test('an attempt that finished an agent begins them anew', () => {
  const patience = createPatience()
  for (let i = 0; i < 5; i++) patience.next(paused(), NOW)
  expect(patience.next(paused({}, 1), NOW)).toBe(NOW + MINUTE)
  expect(patience.next(paused(), NOW)).toBe(NOW + 2 * MINUTE)
})

test('a reset time that proves wrong again and again does not make it hasty', () => {
  expect(waits(4, paused({ resetAt: NOW + 2000 }))).toEqual([0.05, 2, 4, 8])
})

test('a reset time that has passed is none', () => {
  expect(waits(2, paused({ resetAt: NOW - 1 }))).toEqual([1, 2])
})

test.each([
  ['a pause by a person', paused({ pausedBy: 'user' })],
  ['a completed run', runEnd()],
  ['a failed run', runEnd({ status: 'failed' })],
  ['a stopped run', runEnd({ status: 'killed' })],
])('%s is not gone on with', (_name, end) => {
  expect(createPatience().next(end, NOW)).toBeUndefined()
})

test.each(['quota', 'auth', 'billing'])('a run that "%s" paused is', pausedBy => {
  expect(createPatience().next(paused({ pausedBy }), NOW)).toBe(NOW + MINUTE)
})
