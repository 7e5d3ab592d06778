import { describe, expect, test } from 'vitest'
import {
  callReference,
  dollars,
  duration,
  orNone,
  wholeNumber,
} from '../../src/command-line/option-values.ts'

describe('a duration', () => {
  test.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['1.5h', 5_400_000],
    ['30d', 2_592_000_000],
  ])('%s is %d ms', (text, ms) => {
    expect(duration('--x')(text)).toBe(ms)
  })

  test.each(['', '5', '5 m', 'm', '0s', '-5m', '5x', '1h30', '1e3s'])('is not %j', text => {
    expect(() => duration('--budget-time')(text)).toThrow(/^--budget-time must be a duration/)
  })
})

describe('an amount of money', () => {
  test.each([
    ['5', 5],
    ['2.50', 2.5],
    ['$3', 3],
  ])('%s', (text, value) => {
    expect(dollars('--x')(text)).toBe(value)
  })

  test.each(['', '0', '-1', '1,5', 'five', '1e9'])('is not %j', text => {
    expect(() => dollars('--budget-cost')(text)).toThrow(/^--budget-cost must be an amount/)
  })
})

test('none lifts a budget', () => {
  const read = orNone(wholeNumber('--budget'))
  expect(read('none')).toBe('none')
  expect(read('3')).toBe(3)
  expect(() => read('nothing')).toThrow('--budget must be')
})

test('a call is named by its number or its label', () => {
  expect(callReference('--at')('12')).toBe(12)
  expect(callReference('--at')('audit:12')).toBe('audit:12')
  expect(() => callReference('--at')('')).toThrow('--at')
})
