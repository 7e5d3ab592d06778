import { expect, test } from 'vitest'
import { createStructuredClone } from '../../../../src/sandbox/prelude/web/structured-clone.ts'

const clone = createStructuredClone()['structuredClone'] as typeof structuredClone

test('everything a script can hold is cloned as Node clones it', () => {
  class Point {
    x = 1
    get sum(): number {
      return this.x
    }
  }
  const buffer = new Uint8Array([1, 2, 3, 4]).buffer
  const value = {
    primitives: [1, -0, NaN, 'x', true, null, undefined, 10n],
    date: new Date(5),
    expression: /a+/gi,
    map: new Map<unknown, unknown>([
      [{ k: 1 }, [1]],
      ['m', new Set([1, { s: 1 }])],
    ]),
    sparse: Object.assign([1, undefined, 3], { extra: 1 }),
    bytes: new Uint16Array(buffer, 2, 1),
    view: new DataView(buffer, 1, 2),
    boxed: [Object(1), Object('s'), Object(false), Object(1n)] as unknown[],
    instance: new Point(),
    error: new RangeError('r', { cause: { deep: 1 } }),
  }
  const ours = clone(value)
  expect(ours).toEqual(structuredClone(value))
  expect(ours.error).toBeInstanceOf(RangeError)
  expect(ours.error.cause).toEqual({ deep: 1 })
  expect(Object.getPrototypeOf(ours.instance)).toBe(Object.prototype)
  expect(ours.bytes.buffer).not.toBe(buffer)
})

test('cycles and shared references stay what they are', () => {
  const value: Record<string, unknown> = { list: [] }
  value['self'] = value
  ;(value['list'] as unknown[]).push(value, value['list'])
  const ours = clone(value)
  expect(ours['self']).toBe(ours)
  expect((ours['list'] as unknown[])[1]).toBe(ours['list'])
})

test('a __proto__ key is a key', () => {
  const ours = clone(JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>)
  expect(Object.keys(ours)).toEqual(['__proto__'])
  expect(Object.getPrototypeOf(ours)).toBe(Object.prototype)
})

test.each([
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a promise', Promise.resolve()],
  ['a weak map', new WeakMap()],
  ['a nested function', { a: [() => 1] }],
])('%s cannot be cloned', (_, value) => {
  expect(() => clone(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }))
})

test('transfer is refused', () => {
  expect(() => clone(1, { transfer: [new ArrayBuffer(1)] })).toThrow(/could not be cloned/)
})
