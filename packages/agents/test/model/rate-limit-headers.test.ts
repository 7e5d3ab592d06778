import { expect, test } from 'vitest'
import { quotaResetOf, retryAfterOf } from '../../src/model/rate-limit-headers.ts'

const now = Date.UTC(2026, 0, 1)

test.each([
  [{}, undefined],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-1' }, expect.any(Number)],
  [{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2000],
])('retry-after of %o', (headers, expected) => {
  expect(retryAfterOf(headers, now)).toEqual(expected)
})

test.each([
  [{}, undefined],
  [{ 'anthropic-ratelimit-unified-reset': '1790000000' }, 1_790_000_000_000],
  [{ 'x-ratelimit-reset': '60' }, now + 60_000],
  [{ 'x-ratelimit-reset': '2026-01-01T01:00:00Z' }, now + 3_600_000],
  [{ 'x-ratelimit-reset': 'later', 'retry-after': '5' }, now + 5000],
])('reset of %o', (headers, expected) => {
  expect(quotaResetOf(headers, now)).toBe(expected)
})
