/** Cuts chunks into lines at `\n`. What comes after the last one is torn. */
export interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Bytes after the last newline. */
  readonly tornBytes: number
}

/** A longer line is not kept in memory: `onLine` gets undefined for it. */
const MAX_LINE_BYTES = 256 * 1024 * 1024

/** Calls `onLine` with each whole line, without its newline. The bytes are only good during the call. */
export function splitLines(
  onLine: (line: Uint8Array | undefined) => void,
  maxLineBytes: number = MAX_LINE_BYTES,
): LineSplitter {
  let parts: Uint8Array[] = []
  let tornBytes = 0

  function keep(part: Uint8Array): void {
    if (part.length === 0) return
    tornBytes += part.length
    // The reader reuses its chunk.
    if (tornBytes <= maxLineBytes) parts.push(new Uint8Array(part))
    else parts = []
  }

  function end(part: Uint8Array): void {
    const bytes = tornBytes + part.length
    if (bytes > maxLineBytes) onLine(undefined)
    else onLine(parts.length === 0 ? part : Buffer.concat([...parts, part]))
    parts = []
    tornBytes = 0
  }

  return {
    push(chunk) {
      let from = 0
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        end(chunk.subarray(from, at))
        from = at + 1
      }
      keep(chunk.subarray(from))
    },
    get tornBytes() {
      return tornBytes
    },
  }
}
