import { expect, test } from 'vitest'
import { parseScriptedTable } from '../../../src/testing/scripted/table.ts'

test('a table with every behaviour is taken as it is', () => {
  const table = {
    a: [
      { ok: null },
      { echo: true, afterMs: 5, eventEveryMs: 1, partial: 'p', outputTokens: 3, effects: 'none' },
    ],
    b: { reportModel: true },
    c: { die: 'refused', message: 'm' },
    d: { invalid: {}, times: 2, then: { hang: true } },
    '*': { transient: 'network', times: 1, then: { ok: 1 } },
  }
  expect(parseScriptedTable(table, 't')).toBe(table)
})

test.each([
  ['a list', [], 'labels to behaviours'],
  ['an entry that is no object', { a: 1 }, '"a": a behaviour must be an object'],
  ['an entry without a behaviour', { a: { afterMs: 1 } }, 'exactly one of'],
  ['two behaviours', { a: { ok: 1, hang: true } }, 'exactly one of'],
  ['an unknown cause', { a: [{ ok: 1 }, { die: 'tired' }] }, '"a"[1]: die must be one of'],
  ['a negative time', { a: { ok: 1, afterMs: -1 } }, 'afterMs must be a number'],
  ['a transient without then', { a: { transient: 'network', times: 1 } }, 'then is missing'],
  ['an invalid without times', { a: { invalid: {} } }, 'times is missing'],
  [
    'a fault inside then',
    { a: { invalid: {}, times: 1, then: { ok: 1, effects: 'big' } } },
    '"a".then: effects',
  ],
  ['partial that is no text', { a: { ok: 1, partial: 3 } }, 'partial must be a string'],
])('%s is refused with its place', (_, table, message) => {
  expect(() => parseScriptedTable(table, 'cases.json')).toThrowError(
    expect.objectContaining({
      name: 'WorkflowInputError',
      code: 'option-invalid',
      message: expect.stringContaining(message),
    }),
  )
})
