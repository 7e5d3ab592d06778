import { expect, test } from 'vitest'
import { errorOf, startScript } from './script-run.ts'

test.each([
  ['{ a: 1, b: undefined, n: 10n }', { a: 1, n: null }, 'result.n is a BigInt, which JSON cannot hold'],
  [
    '[1n, { x: 2n }, 3n]',
    [null, { x: null }, null],
    'result[0] is a BigInt, which JSON cannot hold (and 2 more)',
  ],
  [
    '(() => { const o = { a: 1 }; o.me = [o]; return o })()',
    { a: 1, me: [null] },
    'result.me[0] refers back',
  ],
  ['() => 1', null, 'result is a function'],
  ['Symbol("x")', null, 'result is a symbol'],
  ['10n', null, 'result is a BigInt'],
  [
    '{ ok: 1, get bad() { throw new Error("boo") } }',
    { ok: 1, bad: null },
    'result.bad could not be read: boo',
  ],
  ['{ "odd key": { toJSON() { throw 1 } } }', { 'odd key': null }, 'result["odd key"] could not be read: 1'],
  ['{ toJSON() { return undefined } }', null, 'toJSON gives nothing'],
  ['new Proxy({}, { ownKeys() { throw new Error("trap") } })', null, 'result could not be read: trap'],
])('%s is kept as far as JSON goes, and what was lost is named', async (expression, value, problem) => {
  const { state } = await startScript(`return ${expression}`)
  expect(state).toEqual({ status: 'returned', value, resultError: expect.stringContaining(problem) })
})

test('a value nested too deeply is cut and named', async () => {
  const { state } = await startScript(
    'let a = [1]; for (let i = 0; i < 1e5; i++) a = [a]; return { a, ok: 1 }',
  )
  expect(state).toMatchObject({
    status: 'returned',
    value: { ok: 1 },
    resultError: expect.stringContaining('too deep'),
  })
})

test('what JSON drops by itself is dropped without a word', async () => {
  const { state } = await startScript(
    'return { u: undefined, f() {}, n: NaN, i: -Infinity, d: new Date(0), m: new Map([[1, 2]]), l: [undefined, () => 1], z: -0 }',
  )
  expect(state).toEqual({
    status: 'returned',
    value: { n: null, i: null, d: '1970-01-01T00:00:00.000Z', m: {}, l: [null, null], z: 0 },
  })
})

test.each([
  ['"text"', { name: 'Error', message: 'text' }],
  ['undefined', { name: 'Error', message: 'undefined was thrown' }],
  ['42', { name: 'Error', message: '42 was thrown' }],
  ['{ a: 1 }', { name: 'Error', message: '{"a":1} was thrown' }],
  ['{ name: "N", message: "m", code: "C" }', { name: 'N', message: 'm', code: 'C' }],
  ['() => 1', { name: 'Error', message: '() => 1 was thrown' }],
  ['Symbol("s")', { name: 'Error', message: 'Symbol(s) was thrown' }],
  [
    '{ get message() { throw 1 }, toJSON() { throw 2 } }',
    { name: 'Error', message: 'a value that cannot be shown was thrown' },
  ],
  ['new Proxy(function () {}, { get() { throw 1 } })', { name: 'Error' }],
])('thrown %s', async (expression, error) => {
  expect(await errorOf(`throw ${expression}`)).toMatchObject(error)
})

test('causes come along, five deep, even when they go round', async () => {
  const error = await errorOf(
    "const a = new Error('a'); const b = new Error('b', { cause: a }); a.cause = b; throw a",
  )
  let depth = 0
  for (let at = error.cause; at !== undefined; at = at.cause) depth++
  expect(depth).toBe(5)
  expect(error.cause?.message).toBe('b')
})

test('a message of any length arrives cut', async () => {
  expect((await errorOf("throw new Error('x'.repeat(1e6))")).message).toHaveLength(16_384)
})
