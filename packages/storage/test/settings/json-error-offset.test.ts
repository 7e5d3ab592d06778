import { fc, test } from '@fast-check/vitest'
import { expect, it } from 'vitest'
import { jsonErrorOffset } from '../../src/settings/json-error-offset.ts'

it.each([
  ['{"a": b}', 6],
  ['{"a" 1}', 5],
  ['[1,]', 3],
  ['{"a":1,}', 7],
  ['[1 2]', 3],
  ['{"a":1}}', 7],
  ['// no comments', 0],
  ['["a\nb"]', 1],
  ["{'a':1}", 1],
  ['{"a":[}', 6],
  ['', 0],
])('finds the place in %j', (text, offset) => {
  expect(jsonErrorOffset(text)).toBe(offset)
})

test.prop([fc.json(), fc.nat(), fc.constantFrom('}', ']', ',', ':', '"', 'x', '1')])(
  'points at or before the end, and never into text that is fine',
  (json, at, extra) => {
    expect(jsonErrorOffset(json)).toBe(json.length)
    const place = at % (json.length + 1)
    const broken = json.slice(0, place) + extra + json.slice(place)
    expect(jsonErrorOffset(broken)).toBeLessThanOrEqual(broken.length)
  },
)
