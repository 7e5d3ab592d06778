import { expect, test } from 'vitest'
import { createErrors } from '../../../src/sandbox/prelude/errors.ts'
import { createJsonText } from '../../../src/sandbox/prelude/json-text.ts'
import { createPositions } from '../../../src/sandbox/prelude/positions.ts'
import { capturePrimordials } from '../../../src/sandbox/prelude/primordials.ts'

const p = capturePrimordials()
const toJson = createJsonText(p, createErrors(p, 'workflow.js', createPositions(p, '', 0)))

function cyclic(): object {
  const value: Record<string, unknown> = { a: 1 }
  value['me'] = [value]
  return value
}

function throwing(what: unknown): never {
  throw what
}

test.each([
  [{ a: 1, b: undefined, n: 10n }, '{"a":1,"n":null}', 'v.n is a BigInt, which JSON cannot hold'],
  [[1n, { x: 2n }, 3n], '[null,{"x":null},null]', 'v[0] is a BigInt, which JSON cannot hold (and 2 more)'],
  [cyclic(), '{"a":1,"me":[null]}', 'v.me[0] refers back to one of its parents'],
  [() => 1, 'null', 'v is a function, which JSON cannot hold'],
  [Symbol('x'), 'null', 'v is a symbol, which JSON cannot hold'],
  [10n, 'null', 'v is a BigInt, which JSON cannot hold'],
  [
    {
      ok: 1,
      get bad() {
        return throwing(new Error('boo'))
      },
    },
    '{"ok":1,"bad":null}',
    'v.bad could not be read: boo',
  ],
  [{ 'odd key': { toJSON: () => throwing(1) } }, '{"odd key":null}', 'v["odd key"] could not be read: 1'],
  [{ toJSON: () => undefined }, 'null', 'v is an object whose toJSON gives nothing, which JSON cannot hold'],
  [new Proxy({}, { ownKeys: () => throwing(new Error('trap')) }), 'null', 'v could not be read: trap'],
  [
    { d: new Date(0), n: 1n },
    '{"d":"1970-01-01T00:00:00.000Z","n":null}',
    'v.n is a BigInt, which JSON cannot hold',
  ],
  [{ '': 1n, $a_1: 1, '1a': 2 }, '{"":null,"$a_1":1,"1a":2}', 'v[""] is a BigInt, which JSON cannot hold'],
])('case %#: what JSON cannot hold becomes null and is named', (value, text, problem) => {
  expect(toJson(value, 'v')).toEqual({ text, problem })
})

test('what JSON takes goes as JSON makes it', () => {
  const shared = { s: 1 }
  for (const value of [
    1,
    'x',
    null,
    true,
    [],
    { a: [undefined, NaN] },
    new Map([[1, 2]]),
    [shared, shared],
  ]) {
    expect(toJson(value, 'v')).toEqual({ text: JSON.stringify(value) })
  }
  expect(toJson(undefined, 'v')).toEqual({})
})

test('a __proto__ key is kept as a key', () => {
  const value = { ...(JSON.parse('{"x":1}') as object), n: 1n }
  Object.defineProperty(value, '__proto__', { value: { y: 1 }, enumerable: true })
  expect(toJson(value, 'v').text).toBe('{"x":1,"n":null,"__proto__":{"y":1}}')
})
