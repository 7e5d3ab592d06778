import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { createTextCoding } from '../../../../src/sandbox/prelude/web/text-coding.ts'
import { createUtf8 } from '../../../../src/sandbox/prelude/web/utf8.ts'

const { TextEncoder: OurEncoder, TextDecoder: OurDecoder } = createTextCoding(createUtf8()) as {
  TextEncoder: typeof TextEncoder
  TextDecoder: typeof TextDecoder
}

property.prop([fc.string({ unit: 'binary' })])('text becomes the bytes that Node makes', text => {
  expect([...new OurEncoder().encode(text)]).toEqual([...new TextEncoder().encode(text)])
})

/** Bytes that are often almost UTF-8. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        0x41,
        0xc3,
        0xa9,
        0xe2,
        0x82,
        0xac,
        0xf0,
        0x9f,
        0x98,
        0x80,
        0xed,
        0xa0,
        0xff,
        0xef,
        0xbb,
        0xbf,
        0xbd,
        0xc0,
        0xf4,
        0x90,
      ),
    )
    .map(list => new Uint8Array(list)),
)

property.prop([
  bytes,
  fc.record({ fatal: fc.boolean(), ignoreBOM: fc.boolean() }),
  fc.constantFrom('utf-8', 'utf-16le'),
])('bytes become the text that Node makes, or the same refusal', (input, options, label) => {
  const decode = (Type: typeof TextDecoder): string => {
    try {
      return new Type(label, options).decode(input)
    } catch (error) {
      return `refused: ${error instanceof TypeError}`
    }
  }
  expect(decode(OurDecoder)).toBe(decode(TextDecoder))
})

property.prop([fc.array(bytes, { maxLength: 5 })])('a stream of pieces is one text', pieces => {
  const whole = new Uint8Array(pieces.flatMap(piece => [...piece]))
  const decoder = new OurDecoder()
  const parts = pieces.map(piece => decoder.decode(piece, { stream: true }))
  expect(parts.join('') + decoder.decode()).toBe(new TextDecoder().decode(whole))
})

test('encodeInto says how far it came and never cuts a character', () => {
  for (const size of [0, 1, 2, 3, 4, 5, 10]) {
    const ours = new Uint8Array(size)
    const theirs = new Uint8Array(size)
    expect(new OurEncoder().encodeInto('aé😀b', ours)).toEqual(new TextEncoder().encodeInto('aé😀b', theirs))
    expect(ours).toEqual(theirs)
  }
})

test('views, buffers and nothing can be decoded, anything else is refused', () => {
  const data = new Uint8Array([120, 104, 105, 120])
  const decoder = new OurDecoder()
  expect(decoder.decode(data.buffer)).toBe('xhix')
  expect(decoder.decode(new DataView(data.buffer, 1, 2))).toBe('hi')
  expect(decoder.decode()).toBe('')
  expect(() => decoder.decode('hi' as unknown as Uint8Array)).toThrow(TypeError)
})

test('labels, and the ones that are not there', () => {
  expect(new OurDecoder(' UTF8 ').encoding).toBe('utf-8')
  expect(new OurDecoder('utf-16').encoding).toBe('utf-16le')
  expect(() => new OurDecoder('latin1')).toThrow(RangeError)
})

test('long text is decoded whole', () => {
  const text = 'é😀x'.repeat(20_000)
  expect(new OurDecoder().decode(new OurEncoder().encode(text))).toBe(text)
})
