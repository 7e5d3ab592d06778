import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { createBase64 } from '../../../../src/sandbox/prelude/web/base64.ts'

const ours = createBase64() as { atob: (text: unknown) => string; btoa: (text: unknown) => string }

property.prop([fc.uint8Array()])('bytes go to base64 and back as in Node', data => {
  const text = String.fromCharCode(...data)
  expect(ours.btoa(text)).toBe(btoa(text))
  expect(ours.atob(btoa(text))).toBe(text)
})

property.prop([
  fc.array(fc.constantFrom('A', 'Q', '=', ' ', '\n', '+', '/', '-', '*', 'é')).map(parts => parts.join('')),
])('any text is read as Node reads it, or refused as it is there', text => {
  const attempt = (decode: (text: string) => string): string => {
    try {
      return decode(text)
    } catch (error) {
      return (error as Error).name
    }
  }
  expect(attempt(ours.atob)).toBe(attempt(atob))
})

test('characters above U+00FF are refused with what to do', () => {
  expect(() => ours.btoa('€')).toThrow(/U\+00FF/)
})
