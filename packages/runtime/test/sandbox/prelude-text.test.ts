import { expect, test } from 'vitest'
import { LAZY_TEXT, PRELUDE_TEXT } from '../../src/sandbox/prelude-text.ts'
import { valueOf } from './script-run.ts'

test('no part of the prelude uses anything of its module', () => {
  // The test runner rewrites every use of an import to this.
  expect(PRELUDE_TEXT + LAZY_TEXT).not.toContain('__vite_ssr')
})

test('the helpers of the web are there inside the engine, and made once', async () => {
  expect(
    await valueOf(
      `const u = new URL('../b?x=1#f', 'https://www.a.example:8080/c/d')
       u.searchParams.append('y', 'é')
       return [u.href, u.origin, new URLSearchParams({ a: '1 2' }).toString(), u.searchParams instanceof URLSearchParams,
         URL === URL, new TextDecoder().decode(new TextEncoder().encode('aé😀\\uD800')), atob(btoa('hi')),
         structuredClone({ d: new Date(0), m: new Map([[1, [2]]]) }).m.get(1)[0], typeof Object.getOwnPropertyDescriptor(globalThis, 'URL').value,
         (() => { try { new URL('nope') } catch (e) { return [e.name, e.code] } })()]`,
    ),
  ).toEqual([
    'https://www.a.example:8080/b?x=1&y=%C3%A9#f',
    'https://www.a.example:8080',
    'a=1+2',
    true,
    true,
    'aé😀\uFFFD',
    'hi',
    2,
    'function',
    ['TypeError', 'ERR_INVALID_URL'],
  ])
})

test('a script may put its own in place of a helper', async () => {
  expect(await valueOf('globalThis.URL = 5; return [URL, typeof URLSearchParams]')).toEqual([5, 'function'])
})
