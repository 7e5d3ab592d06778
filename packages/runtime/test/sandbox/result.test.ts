import { expect, test } from 'vitest'
import { errorOf, startScript } from './script-run.ts'

test('a result that is not JSON is kept as far as JSON goes, and what was lost is named', async () => {
  const { state } = await startScript('return { a: 1, b: undefined, n: 10n }')
  expect(state).toEqual({
    status: 'returned',
    value: { a: 1, n: null },
    resultError: 'result.n is a BigInt, which JSON cannot hold',
  })
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

const THROWN: [expression: string, error: object][] = [
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
]

test('anything thrown becomes an error', async () => {
  const { effects } = await startScript(
    `await parallel([${THROWN.map(([expression]) => `() => { throw ${expression} }`).join(',\n')}])`,
  )
  for (const [index, [, error]] of THROWN.entries()) expect(effects[index]).toMatchObject({ index, error })
  expect(await errorOf('throw undefined')).toEqual({ name: 'Error', message: 'undefined was thrown' })
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
