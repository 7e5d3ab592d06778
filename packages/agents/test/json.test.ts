import { expect, test } from 'vitest'
import { parseJson } from '../src/json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('what is nested too deep is a problem, and no crash', () => {
  expect(parseJson(nested(500))).toHaveProperty('value')
  expect(parseJson(nested(501))).toEqual({ problem: 'it is nested more than 500 deep' })
  expect(parseJson('{"a":'.repeat(100_000))).toHaveProperty('problem')
})

test('brackets within texts do not count', () => {
  const text = JSON.stringify(`\\"${'['.repeat(1000)}\\`)
  expect(parseJson(text)).toEqual({ value: JSON.parse(text) as string })
})

test('numbers beyond a double are a problem', () => {
  expect(parseJson('[1e999]')).toEqual({ problem: 'it has a number that is too large' })
})
