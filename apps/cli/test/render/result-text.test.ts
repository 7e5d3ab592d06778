import { expect, test } from 'vitest'
import { resultLine, resultText } from '../../src/render/result-text.ts'

test('a string is shown as it is, anything else as indented JSON', () => {
  expect(resultText('hello\nworld', false)).toBe('hello\nworld\n')
  expect(resultText({ a: [1] }, false)).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  expect(resultText(undefined, false)).toBe('')
})

test('on a terminal a string cannot steer it', () => {
  expect(resultText('a\u001b[2Jb', true)).toBe('a[2Jb\n')
  expect(resultText('a\u001b[2Jb', false)).toBe('a\u001b[2Jb\n')
})

test('for programs it is one line', () => {
  expect(resultLine({ a: 1, b: 'x\ny' })).toBe('{"a":1,"b":"x\\ny"}\n')
  expect(resultLine(undefined)).toBe('null\n')
})
