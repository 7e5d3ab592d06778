import type { Utf8 } from './utf8.ts'

/** Runs in the engine. TextEncoder, and TextDecoder for UTF-8 and UTF-16LE. */
export function createTextCoding(utf8: Utf8): Record<string, unknown> {
  const LABELS: Record<string, string> = {
    utf8: 'utf-8',
    'utf-8': 'utf-8',
    'unicode-1-1-utf-8': 'utf-8',
    utf16le: 'utf-16le',
    'utf-16le': 'utf-16le',
    'utf-16': 'utf-16le',
  }

  const LONE_SURROGATE = /\p{Cs}/gu

  function bytesOf(input: unknown): Uint8Array {
    if (input === undefined) return new Uint8Array(0)
    if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
    if (input instanceof ArrayBuffer) return new Uint8Array(input)
    throw new TypeError('TextDecoder.decode() needs an ArrayBuffer or a view of one.')
  }

  function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
    if (first.length === 0) return second
    const both = new Uint8Array(first.length + second.length)
    both.set(first)
    both.set(second, first.length)
    return both
  }

  function decodeUtf16(bytes: Uint8Array, fatal: boolean, complete: boolean): ReturnType<Utf8['decode']> {
    const parts: string[] = []
    let end = bytes.length - (bytes.length % 2)
    const unitAt = (at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
    // A high surrogate at the end waits for its other half.
    if (!complete && end > 0 && (unitAt(end - 2) & 0xfc_00) === 0xd8_00) end -= 2
    for (let at = 0; at < end; at += 2) parts.push(String.fromCharCode(unitAt(at)))
    const text = parts.join('')
    const cut = complete && end < bytes.length
    if (fatal && (cut || text.search(LONE_SURROGATE) >= 0)) return undefined
    return {
      text: text.replace(LONE_SURROGATE, '\uFFFD') + (cut ? '\uFFFD' : ''),
      rest: complete ? new Uint8Array(0) : bytes.slice(end),
    }
  }

  class TextEncoder {
    get encoding(): string {
      return 'utf-8'
    }

    encode(text: unknown = ''): Uint8Array {
      return utf8.encode(String(text))
    }

    encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
      let read = 0
      let written = 0
      for (const character of String(text)) {
        const bytes = utf8.encode(character)
        if (written + bytes.length > target.length) break
        target.set(bytes, written)
        written += bytes.length
        read += character.length
      }
      return { read, written }
    }
  }

  class TextDecoder {
    readonly encoding: string
    readonly fatal: boolean
    readonly ignoreBOM: boolean
    #rest = new Uint8Array(0)
    #started = false

    constructor(label: unknown = 'utf-8', options: { fatal?: unknown; ignoreBOM?: unknown } = {}) {
      const encoding = LABELS[String(label).trim().toLowerCase()]
      if (encoding === undefined) {
        throw new RangeError('TextDecoder knows utf-8 and utf-16le here, not "' + String(label) + '".')
      }
      this.encoding = encoding
      this.fatal = Boolean(options.fatal)
      this.ignoreBOM = Boolean(options.ignoreBOM)
    }

    decode(input?: unknown, options: { stream?: unknown } = {}): string {
      const stream = Boolean(options.stream)
      const bytes = concat(this.#rest, bytesOf(input))
      const decode = this.encoding === 'utf-8' ? utf8.decode : decodeUtf16
      const decoded = decode(bytes, this.fatal, !stream)
      this.#rest = new Uint8Array(0)
      if (decoded === undefined) {
        this.#started = false
        throw new TypeError('The bytes are not valid ' + this.encoding + '.')
      }
      let { text } = decoded
      if (!this.#started && !this.ignoreBOM && text.startsWith('\uFEFF')) text = text.slice(1)
      this.#started = stream && (this.#started || bytes.length > decoded.rest.length)
      if (stream) this.#rest = new Uint8Array(decoded.rest)
      return text
    }
  }

  return { TextEncoder, TextDecoder }
}
