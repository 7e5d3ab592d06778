import { expect, test } from 'vitest'
import { wrapScript } from '../../src/sandbox/wrap-script.ts'

const META = "const meta = { name: 'x' }"

test.each([
  ['plain', `export ${META}\nreturn 1`],
  ['a line comment', `// export const\nexport ${META}`],
  ['a block comment', `/* export\n const */ export ${META}`],
  ['a directive', `'use strict'\nexport ${META}`],
  ['a directive with a semicolon and comments', `/* a */ "use strict" ; // b\n;export ${META}`],
  ['a hash-bang', `#!/usr/bin/env tutti\nexport ${META}`],
  ['CRLF', `// a\r\n\r\nexport ${META}\r\nreturn 1`],
  ['a blank between export and const', `export\n${META}`],
])('the first export becomes blanks and nothing moves: %s', (_, source) => {
  const { code, text, lineOneShift } = wrapScript(source)
  expect(text).toHaveLength(source.length)
  expect(text.split('\n')).toHaveLength(source.split('\n').length)
  expect(text.indexOf(META)).toBe(source.indexOf(META))
  expect(text).not.toMatch(/^\s*export/m)
  expect(code.slice(lineOneShift, lineOneShift + text.length)).toBe(text)
})

test('a byte order mark is not a column', () => {
  expect(wrapScript(`\uFEFF#!x\nexport ${META}`).text).toBe(`//x\n       ${META}`)
})

test('a later export in a string or a comment stays', () => {
  const source = `export ${META}\nreturn 'export const' // export`
  expect(wrapScript(source).text).toContain("return 'export const' // export")
})

test('a comment in the last line does not swallow the end', () => {
  expect(wrapScript(`export ${META} // end`).code.endsWith('// end\n}')).toBe(true)
})
