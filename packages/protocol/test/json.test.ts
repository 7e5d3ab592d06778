import { test } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, isJsonValue } from '../src/json.ts'

describe('JSON values', () => {
  test.prop([fc.jsonValue()])('are what JSON gives back', value => {
    expect(isJsonValue(value)).toBe(true)
  })

  it('may hold one thing twice, but not itself', () => {
    const shared = { a: 1 }
    expect(isJsonValue([shared, shared])).toBe(true)
    const cyclic: unknown[] = []
    cyclic.push(cyclic)
    expect(isJsonValue(cyclic)).toBe(false)
  })

  it.each([
    undefined,
    Number.NaN,
    Infinity,
    1n,
    Symbol('s'),
    () => 1,
    new Date(0),
    new Map(),
    [undefined],
    { a: undefined },
  ])('are not: %s', value => {
    expect(isJsonValue(value)).toBe(false)
  })

  it('are refused beyond any sensible depth, without a throw', () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep]
    expect(isJsonValue(deep)).toBe(false)
  })

  it('are objects when they have keys', () => {
    expect([{}, Object.create(null), [], null, 'x'].map(isJsonObject)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
