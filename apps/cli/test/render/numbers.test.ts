import { expect, test } from 'vitest'
import { count, formatDuration, formatTokens } from '../../src/render/numbers.ts'

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [1234, '1.2k'],
  [9949, '9.9k'],
  [9950, '10k'],
  [34_567, '35k'],
  [999_499, '999k'],
  [999_500, '1M'],
  [1_250_000, '1.3M'],
])('%d tokens are shown as %s', (tokens, text) => {
  expect(formatTokens(tokens)).toBe(text)
})

test.each([
  [-5, '0.0s'],
  [0, '0.0s'],
  [449, '0.4s'],
  [9949, '9.9s'],
  [9950, '10s'],
  [59_400, '59s'],
  [59_600, '1m 00s'],
  [185_000, '3m 05s'],
  [3_720_000, '1h 02m'],
])('%d ms are shown as %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('counts have their plural', () => {
  expect(count(1, 'agent')).toBe('1 agent')
  expect(count(2, 'agent')).toBe('2 agents')
})
