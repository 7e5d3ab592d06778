import { expect, it } from 'vitest'
import { diff } from '../../src/report/diff.ts'

it('shows what is only wanted and what is only there, with the lines around', () => {
  const wanted = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }
  expect(diff(wanted, { ...wanted, g: 8 })).toEqual([
    '    "d": 4,',
    '    "e": 5,',
    '    "f": 6,',
    '-   "g": 7',
    '+   "g": 8',
    '  }',
  ])
})

it('does not care about the order of keys', () => {
  expect(diff({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([])
})

it('shows a value that is missing', () => {
  expect(diff([1], undefined)).toEqual(['- [', '-   1', '- ]', '+ nothing'])
})
