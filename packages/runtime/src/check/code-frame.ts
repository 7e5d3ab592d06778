import { visible } from './code-points.ts'
import { lineAt, type Place, type SourceText } from './source-text.ts'

const CONTEXT_LINES = 2
const MAX_WIDTH = 100
const BEFORE_CARET = 60

/** The lines around a place with their numbers and a caret below it; plain text, long lines clipped. */
export function codeFrame(source: SourceText, { line, column }: Place): string {
  const first = Math.max(1, line - CONTEXT_LINES)
  const last = Math.min(source.lineStarts.length, line + CONTEXT_LINES)
  const digits = String(last).length
  const from = lineAt(source, line).length > MAX_WIDTH ? Math.max(0, column - 1 - BEFORE_CARET) : 0
  const rows: string[] = []
  for (let number = first; number <= last; number++) {
    const shown = visible(clip(lineAt(source, number), from))
    const mark = number === line ? '>' : ' '
    rows.push(`${mark} ${String(number).padStart(digits)} | ${shown}`.trimEnd())
    if (number !== line) continue
    const indent = shown.slice(0, column - 1 - from).replace(/[^\t]/g, ' ')
    rows.push(`  ${' '.repeat(digits)} | ${indent.padEnd(column - 1 - from)}^`)
  }
  return rows.join('\n')
}

function clip(line: string, from: number): string {
  const end = from + MAX_WIDTH
  const start = from > 0 && line.length > from ? `…${line.slice(from + 1, end)}` : line.slice(from, end)
  return line.length > end ? `${start.slice(0, -1)}…` : start
}
