/** A script as the checks read it: without the byte order mark, so that columns match an editor's. */
export interface SourceText {
  text: string
  /** Offsets at which lines begin. */
  lineStarts: number[]
}

export interface Place {
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
}

const LINE_END = /\r\n?|[\n\u2028\u2029]/g
const BYTE_ORDER_MARK = '\uFEFF'

export function sourceText(source: string): SourceText {
  const text = source.startsWith(BYTE_ORDER_MARK) ? source.slice(1) : source
  const lineStarts = [0]
  for (const end of text.matchAll(LINE_END)) lineStarts.push(end.index + end[0].length)
  return { text, lineStarts }
}

export function placeAt({ lineStarts }: SourceText, offset: number): Place {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}

/** The text of a line, counted from 1, without its end. */
export function lineAt({ text, lineStarts }: SourceText, line: number): string {
  const start = lineStarts[line - 1] ?? 0
  let end = lineStarts[line] ?? text.length
  while (end > start && line < lineStarts.length && /[\r\n\u2028\u2029]/.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
