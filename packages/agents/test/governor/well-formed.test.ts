import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wellFormed } from '../../src/governor/well-formed.ts'

test('halves of characters become replacement characters, and nothing else changes', () => {
  const piece = fc.constantFrom('\ud83d', '\ude00', '😀', '\\', '\\ud83d', '"', '\n', 'a', '\\\\')
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      const text = pieces.join('')
      expect(JSON.parse(wellFormed(JSON.stringify({ text })))).toEqual({ text: Buffer.from(text).toString() })
    }),
  )
})
