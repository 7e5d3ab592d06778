import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parsePairs, readScriptArgs } from '../../src/command-line/script-args.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tutti-args-'))
  await writeFile(join(folder, 'good.json'), '\uFEFF{"a":[1]}')
  await writeFile(join(folder, 'bad.json'), '{')
})
afterAll(() => rm(folder, { recursive: true }))

test('nothing given is undefined', async () => {
  expect(await readScriptArgs({ pairs: [] }, folder)).toBeUndefined()
})

test('values are JSON where they parse and strings where not', () => {
  expect(
    parsePairs(['n=3', 'yes=true', 'list=["a"]', 'text=hello world', 'eq=a=b', 'empty=', 's="3"']),
  ).toEqual({ n: 3, yes: true, list: ['a'], text: 'hello world', eq: 'a=b', empty: '', s: '3' })
})

test('words that are not key=value are refused by name', () => {
  expect(() => parsePairs(['oops'])).toThrow('"oops" is not key=value')
  expect(() => parsePairs(['=x'])).toThrow('"=x" is not key=value')
  expect(() => parsePairs(['a=1', 'a=2'])).toThrow('"a" is given twice')
  expect(() => parsePairs(['__proto__=1'])).toThrow('"__proto__" is not allowed')
})

test('--args takes any JSON', async () => {
  expect(await readScriptArgs({ args: '[1]', pairs: [] }, folder)).toEqual([1])
  expect(await readScriptArgs({ args: 'null', pairs: [] }, folder)).toBeNull()
  await expect(readScriptArgs({ args: 'oops', pairs: [] }, folder)).rejects.toThrow('--args is not JSON')
})

test('--args-file reads a file', async () => {
  expect(await readScriptArgs({ argsFile: 'good.json', pairs: [] }, folder)).toEqual({ a: [1] })
  await expect(readScriptArgs({ argsFile: 'bad.json', pairs: [] }, folder)).rejects.toThrow(
    '--args-file bad.json is not JSON',
  )
  await expect(readScriptArgs({ argsFile: 'none.json', pairs: [] }, folder)).rejects.toThrow('cannot read')
})

test('two ways at once are refused', async () => {
  await expect(readScriptArgs({ args: '1', pairs: ['a=1'] }, folder)).rejects.toThrow('exclude each other')
})
