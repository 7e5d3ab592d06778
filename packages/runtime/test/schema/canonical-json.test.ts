import { test } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { JsonValue } from '@tutti/protocol'
import { canonicalJson } from '../../src/schema/canonical-json.ts'
import { sha256 } from '../../src/schema/hash.ts'

const jsonValue = fc.jsonValue({ noUnicodeString: false }) as fc.Arbitrary<JsonValue>

function shuffled(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, shuffled(part)]),
  )
}

describe('canonicalJson', () => {
  test('sorts keys by their UTF-16 units, not by code points or locale', () => {
    const value = {
      '\u20ac': 1,
      '\r': 2,
      '\ufb33': 3,
      '1': 4,
      '\u{1f600}': 5,
      '\u0080': 6,
      '\u00f6': 7,
      a: 8,
      B: 9,
    }
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object)).toHaveLength(9)
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":4,"B":9,"a":8,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    )
  })

  test('writes numbers as ECMAScript does', () => {
    expect(canonicalJson([333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0, 1e21, 123456789012345680000])).toBe(
      '[333333333.3333333,1e+30,4.5,0.002,1e-27,0,1e+21,123456789012345680000]',
    )
  })

  test('escapes only what must be escaped', () => {
    expect(canonicalJson('\u20ac$\u000f\nA\'B"\\\\"/\u2028')).toBe(
      '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028"',
    )
    expect(canonicalJson('\ud800')).toBe('"\\ud800"')
  })

  test.prop([jsonValue])('reads back as the same value', value => {
    expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
  })

  test.prop([jsonValue])('does not depend on the order of keys', value => {
    expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value))
  })

  test.prop([jsonValue])('has no white space between tokens', value => {
    const text = canonicalJson(value)
    expect(JSON.stringify(JSON.parse(text)).length).toBe(text.length)
  })

  test.each([
    [{ a: [1, Number.NaN] }, '/a/1 is NaN'],
    [Number.POSITIVE_INFINITY, 'the value is Infinity'],
    [{ a: undefined }, '/a is undefined'],
    [[10n], '/0 is a bigint'],
  ])('names the place of what is no JSON value: %o', (value, message) => {
    expect(() => canonicalJson(value as unknown as JsonValue)).toThrow(message)
  })

  test('keeps an own key called __proto__', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":1}}') as JsonValue)).toBe(
      '{"__proto__":{"a":1},"b":1}',
    )
  })
})

describe('sha256', () => {
  test('hashes text as UTF-8', () => {
    expect(sha256('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c')
  })
})
