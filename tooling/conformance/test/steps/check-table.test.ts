import { expect, it } from 'vitest'
import { missingEntries } from '../../src/steps/check-table.ts'

it('names labels without an entry and dispatches beyond the list', () => {
  const table = { a: { ok: 1 }, b: [{ ok: 1 }] }
  expect(missingEntries(table, { a: 5, b: 1 })).toEqual([])
  expect(missingEntries(table, { b: 2, c: 1 })).toEqual([
    'the agent `b` was dispatched 2 times and has 1 entries',
    'the agent `c` was dispatched and has no entry',
  ])
  expect(missingEntries({ '*': { ok: 1 } }, { anything: 9 })).toEqual([])
})
