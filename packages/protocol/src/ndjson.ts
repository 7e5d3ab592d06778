// Newline-delimited JSON. The decoder never throws on input and holds at most one line: a line over the
// limit is dropped as it arrives and reported once its newline, or the end, is seen.
import type { JsonValue } from './json.ts'
import { GrowingBytes } from './growing-bytes.ts'

/** Default of `maxLineBytes`: 64 MiB. */
export const MAX_LINE_BYTES: number = 64 * 1024 * 1024

export type BadLineReason = 'not-json' | 'too-long' | 'not-utf8'

/** A decoded line. `line` counts all lines of the stream from 1, blank ones included. */
export type DecodedLine =
  | { ok: true; value: JsonValue; line: number }
  | { ok: false; reason: BadLineReason; message: string; line: number }

export interface LineDecoderOptions {
  /** Bytes before the line end. */
  maxLineBytes?: number
}

export interface LineDecoder {
  /** The lines that this chunk completed. The chunk may be reused afterwards. */
  push(chunk: Uint8Array | string): DecodedLine[]
  /** The last line, when the stream ended without a newline. */
  flush(): DecodedLine[]
}

const NEWLINE = 10
const CARRIAGE_RETURN = 13

/** One line with its newline. Throws TypeError for a value that has no JSON form. */
export function encodeLine(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`a line needs a JSON value, not ${typeof value}`)
  return `${text.replace(/[\u2028\u2029]/g, escapeSeparator)}\n`
}

function escapeSeparator(character: string): string {
  return character === '\u2028' ? '\\u2028' : '\\u2029'
}

/** Decodes a whole stream. */
export async function* decodeLines(
  source: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string>,
  options?: LineDecoderOptions,
): AsyncGenerator<DecodedLine, void, undefined> {
  const decoder = createLineDecoder(options)
  for await (const chunk of source) yield* decoder.push(chunk)
  yield* decoder.flush()
}

/** A decoder for one stream: survives split UTF-8, CRLF and blank lines; every other line yields a value. */
export function createLineDecoder(options: LineDecoderOptions = {}): LineDecoder {
  const limit = options.maxLineBytes ?? MAX_LINE_BYTES
  const pending = new GrowingBytes()
  const toBytes = textToBytes()
  let line = 1
  let overLong = false

  function push(chunk: Uint8Array | string): DecodedLine[] {
    const bytes = typeof chunk === 'string' ? toBytes.push(chunk) : chunk
    const lines: DecodedLine[] = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      finishLine(bytes.subarray(from, end), lines)
      from = end + 1
    }
    keep(bytes.subarray(from))
    return lines
  }

  function flush(): DecodedLine[] {
    const lines: DecodedLine[] = []
    finishLine(toBytes.flush(), lines)
    return lines
  }

  function finishLine(rest: Uint8Array, lines: DecodedLine[]): void {
    let whole = rest
    if (overLong || pending.length > 0) {
      keep(rest)
      whole = pending.take()
    }
    if (whole.at(-1) === CARRIAGE_RETURN) whole = whole.subarray(0, -1)
    const decoded = overLong || whole.length > limit ? tooLong(line, limit) : decodeLine(whole, line)
    if (decoded) lines.push(decoded)
    overLong = false
    line += 1
  }

  /** One byte more than the limit is held, since it may be the return of a CRLF. */
  function keep(bytes: Uint8Array): void {
    if (overLong || bytes.length === 0) return
    overLong = pending.length + bytes.length > limit + 1
    if (overLong) pending.clear()
    else pending.append(bytes)
  }

  return { push, flush }
}

function tooLong(line: number, limit: number): DecodedLine {
  return { ok: false, reason: 'too-long', message: `line ${line} is longer than ${limit} bytes`, line }
}

/** Undefined for a blank line. Messages hold nothing of the line's content. */
function decodeLine(bytes: Uint8Array, line: number): DecodedLine | undefined {
  const size = `(${bytes.length} bytes)`
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { ok: false, reason: 'not-utf8', message: `line ${line} ${size} is not valid UTF-8`, line }
  }
  if (text.trim() === '') return undefined
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue, line }
  } catch {
    return { ok: false, reason: 'not-json', message: `line ${line} ${size} is not valid JSON`, line }
  }
}

/** UTF-8 of text that comes in pieces; a surrogate pair may be split between two of them. */
function textToBytes(): { push(text: string): Uint8Array; flush(): Uint8Array } {
  const encoder = new TextEncoder()
  let half = ''
  return {
    push(piece) {
      const text = half + piece
      const last = text.charCodeAt(text.length - 1)
      half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : ''
      return encoder.encode(half === '' ? text : text.slice(0, -1))
    },
    flush() {
      const rest = encoder.encode(half)
      half = ''
      return rest
    },
  }
}
