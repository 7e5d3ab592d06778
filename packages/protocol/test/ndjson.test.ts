import { test } from '@fast-check/vitest'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineDecoder, type DecodedLine, decodeLines, encodeLine } from '../src/ndjson.ts'

const encoder = new TextEncoder()

function decode(chunks: (Uint8Array | string)[], maxLineBytes?: number): DecodedLine[] {
  const decoder = createLineDecoder(maxLineBytes === undefined ? {} : { maxLineBytes })
  return [...chunks.flatMap(chunk => decoder.push(chunk)), ...decoder.flush()]
}

function values(lines: DecodedLine[]): unknown[] {
  return lines.map(line => (line.ok ? line.value : line.reason))
}

/** Cuts at the given places, taken modulo the length. */
function cut(bytes: Uint8Array, places: number[]): Uint8Array[] {
  const ends = [...places.map(place => place % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
  return ends.map((end, position) => bytes.subarray(position === 0 ? 0 : ends[position - 1], end))
}

describe('encoding a line', () => {
  it('gives one line', () => {
    expect(encodeLine({ text: 'a\nb\u2028c\u2029d' })).toBe('{"text":"a\\nb\\u2028c\\u2029d"}\n')
  })

  it('refuses what has no JSON form', () => {
    expect(() => encodeLine(undefined)).toThrow('a line needs a JSON value, not undefined')
    expect(() => encodeLine(() => 1)).toThrow(TypeError)
  })
})

describe('decoding lines', () => {
  it('survives blank lines, CRLF and a missing last newline', () => {
    expect(decode(['\n  \t\r\n{"a":1}\r\n\n42\nnull'])).toEqual([
      { ok: true, value: { a: 1 }, line: 3 },
      { ok: true, value: 42, line: 5 },
      { ok: true, value: null, line: 6 },
    ])
  })

  it('survives characters split between chunks of bytes and of text', () => {
    const bytes = encoder.encode('"é😀"\n')
    expect(values(decode([...bytes].map(byte => Uint8Array.of(byte))))).toEqual(['é😀'])
    expect(values(decode('"é😀"\n'.split('')))).toEqual(['é😀'])
  })

  it('forgives a byte order mark', () => {
    expect(values(decode(['\ufeff{"a":1}\n']))).toEqual([{ a: 1 }])
  })

  it('reports a line that is not JSON, without its content, and goes on', () => {
    expect(decode(['secret\n1\n'])).toEqual([
      { ok: false, reason: 'not-json', message: 'line 1 (6 bytes) is not valid JSON', line: 1 },
      { ok: true, value: 1, line: 2 },
    ])
  })

  it('reports a line that is not UTF-8 and goes on', () => {
    expect(decode([Uint8Array.of(34, 0xc3, 34, 10), '1'])).toEqual([
      { ok: false, reason: 'not-utf8', message: 'line 1 (3 bytes) is not valid UTF-8', line: 1 },
      { ok: true, value: 1, line: 2 },
    ])
  })

  it('reports a line over the limit once and goes on after its newline', () => {
    const long = { ok: false, reason: 'too-long', message: 'line 1 is longer than 4 bytes', line: 1 }
    expect(decode(['"aaaa"\n1\n'], 4)).toEqual([long, { ok: true, value: 1, line: 2 }])
    expect(decode(['"a', 'aaa', 'aaaaaaa', 'a"\n1\n'], 4)).toEqual([long, { ok: true, value: 1, line: 2 }])
    expect(decode(['"aaa', 'aaa'], 4)).toEqual([long])
  })

  it('does not count the line end against the limit', () => {
    expect(values(decode(['"aa"\r\n"bb"', '\r', '\n', '"ccc"\r\n'], 4))).toEqual(['aa', 'bb', 'too-long'])
  })

  it('takes nesting that no recursion would survive', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(decode([`${deep}\n`]).map(line => line.line)).toEqual([1])
  })

  it('does not hold on to the chunks it was given', () => {
    const decoder = createLineDecoder()
    const chunk = encoder.encode('"abc')
    decoder.push(chunk)
    chunk.fill(0)
    expect(values(decoder.push('"\n'))).toEqual(['abc'])
  })

  it('takes a long line in small pieces in linear time', () => {
    const piece = encoder.encode('x'.repeat(64))
    const decoder = createLineDecoder()
    decoder.push('"')
    for (let n = 0; n < 100_000; n += 1) decoder.push(piece)
    const [value] = values(decoder.push('"\n'))
    expect(value).toHaveLength(6_400_000)
  })

  it('can be used again after a flush', () => {
    const decoder = createLineDecoder()
    decoder.push('1')
    expect(values(decoder.flush())).toEqual([1])
    expect(values(decoder.push('2\n'))).toEqual([2])
    expect(decoder.flush()).toEqual([])
  })

  it('reads a whole stream', async () => {
    const lines: DecodedLine[] = []
    for await (const line of decodeLines(['{"a"', ':1}\n', '2'])) lines.push(line)
    expect(values(lines)).toEqual([{ a: 1 }, 2])
  })

  const ends = fc.constantFrom('\n', '\r\n', '\n\n', '\r\n \t\r\n')
  const cuts = fc.array(fc.nat())

  test.prop([fc.array(fc.tuple(fc.jsonValue({ noUnicodeString: false }), ends)), cuts])(
    'gives back what was encoded, however it is cut',
    (documents, places) => {
      const stream = documents.map(([value, end]) => encodeLine(value).replace(/\n$/, end)).join('')
      const expected = documents.map(([value]) => JSON.parse(JSON.stringify(value)) as unknown)
      expect(values(decode(cut(encoder.encode(stream), places)))).toEqual(expected)
      expect(values(decode(stream.split('')))).toEqual(expected)
    },
  )

  test.prop([fc.uint8Array({ maxLength: 200 }), cuts, fc.integer({ min: 0, max: 20 })])(
    'gives the same for any bytes, however they are cut, and never throws',
    (bytes, places, maxLineBytes) => {
      expect(decode(cut(bytes, places), maxLineBytes)).toEqual(decode([bytes], maxLineBytes))
    },
  )
})
