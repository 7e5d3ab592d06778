import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { createSearchParams } from '../../../../src/sandbox/prelude/web/search-params.ts'
import { createUtf8 } from '../../../../src/sandbox/prelude/web/utf8.ts'

const Ours = createSearchParams(createUtf8()).URLSearchParams as unknown as typeof URLSearchParams

property.prop([fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })))])(
  'pairs are written as Node writes them, and read back',
  pairs => {
    const text = new Ours(pairs).toString()
    expect(text).toBe(new URLSearchParams(pairs).toString())
    expect([...new Ours(text)]).toEqual([...new URLSearchParams(text)])
  },
)

property.prop([
  fc
    .array(fc.constantFrom('a', '=', '&', '+', '%', '%20', '%C3%A9', '%ff', '?', ' ', '%4', '#'))
    .map(parts => parts.join('')),
])('any query is read as Node reads it', query => {
  expect([...new Ours(query)]).toEqual([...new URLSearchParams(query)])
})

test('all ways to make one', () => {
  for (const init of [undefined, '', '?a=1', { a: '1', b: 2 }, [['a', '1']], new Map([['a', 'b']]), 5]) {
    const make = (Type: typeof URLSearchParams): string => new Type(init as string).toString()
    expect(make(Ours)).toBe(make(URLSearchParams))
  }
  expect(() => new Ours(JSON.parse('[["a"]]'))).toThrow(TypeError)
})

test('its methods do what Node does', () => {
  const run = (Type: typeof URLSearchParams): unknown[] => {
    const params = new Type('b=2&a=1&b=3&c=4')
    const seen: unknown[] = [
      params.size,
      params.get('b'),
      params.get('x'),
      params.getAll('b'),
      params.has('a'),
      params.has('b', '9'),
    ]
    params.set('b', 'x')
    params.set('new', 'n')
    params.append('a', '0')
    params.delete('c')
    params.delete('a', '1')
    params.sort()
    params.forEach(function (this: unknown, ...given) {
      seen.push([this, given.slice(0, 2), given[2] === params])
    }, 'self')
    return [...seen, String(params), [...params.keys()], [...params.values()], [...params.entries()]]
  }
  expect(run(Ours)).toEqual(run(URLSearchParams))
})

test('the class has no way to be bound to somebody else', () => {
  expect(
    Object.getOwnPropertyNames(Ours).filter(name => !['length', 'name', 'prototype'].includes(name)),
  ).toEqual([])
})
