/** UTF-8 by the encoding standard. */
export interface Utf8 {
  /** Lone surrogates become U+FFFD. */
  encode(text: string): Uint8Array
  /** Undefined where `fatal` and the bytes are not UTF-8. `complete` false leaves a cut sequence in `rest`. */
  decode(bytes: Uint8Array, fatal: boolean, complete: boolean): { text: string; rest: Uint8Array } | undefined
}

/** Runs in the engine. */
export function createUtf8(): Utf8 {
  const CHUNK = 4096
  const REPLACEMENT = 0xff_fd

  function encode(text: string): Uint8Array {
    const bytes = new Uint8Array(text.length * 3)
    let length = 0
    for (const character of text) {
      let point = character.codePointAt(0) ?? 0
      if (point >= 0xd8_00 && point <= 0xdf_ff) point = REPLACEMENT
      if (point < 0x80) bytes[length++] = point
      else {
        const tail = point < 0x8_00 ? 1 : point < 0x1_00_00 ? 2 : 3
        bytes[length++] = (point >> (6 * tail)) | (tail === 1 ? 0xc0 : tail === 2 ? 0xe0 : 0xf0)
        for (let i = tail - 1; i >= 0; i--) bytes[length++] = ((point >> (6 * i)) & 0x3f) | 0x80
      }
    }
    return bytes.slice(0, length)
  }

  /** Length of the sequence a byte begins, and the range its second byte must be in. */
  function sequence(lead: number): [length: number, low: number, high: number] | undefined {
    if (lead >= 0xc2 && lead <= 0xdf) return [2, 0x80, 0xbf]
    if (lead >= 0xe0 && lead <= 0xef) return [3, lead === 0xe0 ? 0xa0 : 0x80, lead === 0xed ? 0x9f : 0xbf]
    if (lead >= 0xf0 && lead <= 0xf4) return [4, lead === 0xf0 ? 0x90 : 0x80, lead === 0xf4 ? 0x8f : 0xbf]
    return undefined
  }

  function decode(bytes: Uint8Array, fatal: boolean, complete: boolean): ReturnType<Utf8['decode']> {
    const parts: string[] = []
    let points: number[] = []
    let at = 0
    while (at < bytes.length) {
      const lead = bytes[at] as number
      let point = lead
      let next = at + 1
      if (lead >= 0x80) {
        const shape = sequence(lead)
        point = shape === undefined ? REPLACEMENT : lead & (0x7f >> shape[0])
        if (shape !== undefined) {
          let [, low, high] = shape
          const end = at + shape[0]
          while (next < end && next < bytes.length) {
            const byte = bytes[next] as number
            if (byte < low || byte > high) break
            point = (point << 6) | (byte & 0x3f)
            low = 0x80
            high = 0xbf
            next++
          }
          if (next < end) {
            if (next === bytes.length && !complete) break
            point = REPLACEMENT
          }
        }
        if (fatal && point === REPLACEMENT && !isReplacement(bytes, at)) return undefined
      }
      points.push(point)
      at = next
      if (points.length === CHUNK) {
        parts.push(String.fromCodePoint(...points))
        points = []
      }
    }
    parts.push(String.fromCodePoint(...points))
    return { text: parts.join(''), rest: bytes.slice(at) }
  }

  /** U+FFFD itself, as opposed to what stands in for broken bytes. */
  function isReplacement(bytes: Uint8Array, at: number): boolean {
    return bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd
  }

  return { encode, decode }
}
