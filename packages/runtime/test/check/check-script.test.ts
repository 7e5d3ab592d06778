import { createHash } from 'node:crypto'
import { test } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { checkScript, MAX_SCRIPT_LENGTH } from '../../src/check/check-script.ts'
import { checkBody, errorsOf, META, summary } from './script.ts'

describe('a good script', () => {
  test('gives its meta, no warnings and the hash of the text as it is', () => {
    const source = `\uFEFF${META}\r\nreturn 1\r\n`
    expect(checkScript(source)).toEqual({
      ok: true,
      meta: { name: 'case', description: 'a case' },
      warnings: [],
      hash: createHash('sha256').update(source, 'utf8').digest('hex'),
    })
  })

  test('may begin with a byte order mark, a hash-bang, comments and a directive', () => {
    const source = `\uFEFF#!/usr/bin/env tutti\r\n// leading\r\n/* and another */\r\n'use strict'\r\n${META}\r\nreturn 1\r\n`
    expect(checkScript(source)).toMatchObject({ ok: true, warnings: [] })
  })

  test('may await and return at the top and use what newer engines have', () => {
    const body = `const { a = 1, ...rest } = args ?? {}
for await (const x of [agent('x')]) log(x, rest?.[0]?.b ?? a, 1_000n, /(?<y>\\d{4})/u.exec('')?.groups.y)
class A { #x = 1; static { log(2) } has(o) { return #x in o } }
label: for (const [i] of [[1]].entries()) { if (i) continue label }
return await Promise.all([new A().has({}), structuredClone([1]).at(-1)])`
    expect(checkBody(body)).toMatchObject({ ok: true, warnings: [] })
  })

  test('may say the forbidden words in strings, templates and comments', () => {
    const source = `export const meta = { name: 'txt', description: 'says require(fs), import(x) and Date.now()' }
// Math.random()
/* new Date() eval(1) */
log(\`never use process.env or setInterval \${'fetch(1)'}\`)
return 'never call Math.random()'`
    expect(checkScript(source)).toMatchObject({ ok: true, warnings: [] })
  })
})

describe('the size', () => {
  test('may be 524,288 characters and not one more', () => {
    const most = `${META}\n//`.padEnd(MAX_SCRIPT_LENGTH, 'x')
    expect(checkScript(most).ok).toBe(true)
    const result = checkScript(`${most}x`)
    expect(summary(result)).toEqual(['size 1:1'])
    expect(errorsOf(result)[0]?.message).toContain('524289 characters; at most 524288')
  })
})

describe('several findings', () => {
  test('come together, in the order of the text', () => {
    const result = checkScript(`import fs from 'fs'
export const meta = { name: who, description: 1 + 1 }
const at = Date.now()
const at = Math.random()
proces.exit(1)`)
    expect(summary(result)).toEqual([
      'module 1:1',
      'meta 1:1',
      'meta 2:29',
      'meta 2:47',
      'determinism 3:12',
      'syntax 4:7',
      'determinism 4:12',
      'unknown-global 5:1',
    ])
  })

  test('are cut at 100, errors first', () => {
    const result = checkBody(`foo\neval\n${'Date.now()\n'.repeat(200)}`)
    expect(errorsOf(result)).toHaveLength(100)
  })
})

describe('any text', () => {
  test.each([
    ['empty', ''],
    ['white space', ' \n\t\n'],
    ['one bracket', '('],
    ['half of a surrogate pair', '\ud800'],
    ['deep brackets', '('.repeat(200_000)],
    ['a deep literal', `export const meta = { a: ${'['.repeat(5000)}${']'.repeat(5000)} }`],
    ['a long chain', `${META}\nreturn 1${' + 1'.repeat(50_000)}`],
  ])('is answered: %s', (_what, source) => {
    expect(errorsOf(checkScript(source)).length).toBeGreaterThan(0)
  })

  test.prop([fc.string({ unit: 'binary' })])('never throws', source => {
    const result = checkScript(source)
    for (const { line, column } of errorsOf(result)) expect(Math.min(line, column)).toBeGreaterThan(0)
  })

  const fragment = fc.constantFrom(
    ...'const let var function async await class extends => ( ) { } [ ] < > : ; , . ? ! ` ${ / + = a b "s" 1 as type interface import export return parallel agent Date.now new \n'.split(
      ' ',
    ),
  )
  test.prop([fc.array(fragment, { maxLength: 40 })])('never throws on scraps of code', parts => {
    expect(() => checkBody(parts.join(' '))).not.toThrow()
    expect(() => checkBody(parts.join(''))).not.toThrow()
  })
})

test('comments that only the script engine knows are refused; the same characters in strings are fine', () => {
  const meta = `export const meta = { name: 'a', description: 'b' }`
  const placed = (body: string): string[] => {
    const result = checkScript(`${meta}\n${body}`)
    return result.ok
      ? []
      : result.findings.map(({ line, column, message }) => `${line}:${column} ${message.slice(0, 4)}`)
  }
  expect(placed('let y = 2\nreturn 1 <!--y')).toEqual(['3:10 <!--'])
  expect(placed("return '<!-- a -->' + `\n--> b` // <!-- c")).toEqual([])
  expect(placed('let y = 2\nwhile (y-->0) {}')).toEqual([])
})
