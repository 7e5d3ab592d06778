import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
import { wellFormed } from '../../src/governor/well-formed.ts'

test('halves of characters become replacement characters, and nothing else changes', () => {
  const piece = constantFrom('\ud83d', '\ude00', '😀', '\\', '\\ud83d', '"', '\n', 'a', '\\\\')
  assert(
    property(array(piece), pieces => {
      const text = pieces.join('')
      expect(JSON.parse(wellFormed(JSON.stringify({ text })))).toEqual({ text: Buffer.from(text).toString() })
    }),
  )
})
