import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/system/system-clock.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const DAY = 24 * 60 * 60 * 1000

test('a timer may be longer than those of Node', () => {
  const called = vi.fn()
  systemClock().timer(60 * DAY, called)
  vi.advanceTimersByTime(60 * DAY - 1)
  expect(called).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(called).toHaveBeenCalledOnce()
})

test('a long timer can be cancelled after its first stretch', () => {
  const called = vi.fn()
  const timer = systemClock().timer(60 * DAY, called)
  vi.advanceTimersByTime(40 * DAY)
  timer.cancel()
  vi.advanceTimersByTime(40 * DAY)
  expect(called).not.toHaveBeenCalled()
})
