import { expect, test } from 'vitest'
import { createSeededRandom } from '../../src/testing/seeded-random.ts'

function take(seed: number | string): number[] {
  const random = createSeededRandom(seed)
  return Array.from({ length: 1000 }, () => random.next())
}

test('the same seed gives the same numbers, another seed gives others', () => {
  expect(take(7)).toEqual(take(7))
  expect(take('a')).toEqual(take('a'))
  expect(take(7)).not.toEqual(take(8))
  expect(take('a')).not.toEqual(take('b'))
})

test('numbers lie in [0, 1) and spread over it', () => {
  const numbers = take('spread')
  expect(numbers.every(n => n >= 0 && n < 1)).toBe(true)
  const mean = numbers.reduce((sum, n) => sum + n, 0) / numbers.length
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05)
})

test('bytes have the length asked for', () => {
  const bytes = createSeededRandom(1).bytes(64)
  expect(bytes).toHaveLength(64)
  expect(new Set(bytes).size).toBeGreaterThan(40)
})
