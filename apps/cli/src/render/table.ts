import { padLeft, padText, textWidth } from './text-width.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
}

/** Rows under a header, as wide as their longest cell; the last column takes what is left of `width`. */
export function tableLines(columns: Column[], rows: string[][], width: number): string[] {
  const widths = columns.map((column, at) =>
    Math.max(textWidth(column.title), ...rows.map(row => textWidth(row[at] ?? ''))),
  )
  const last = columns.length - 1
  const used = widths.slice(0, last).reduce((sum, one) => sum + one + 2, 0)
  widths[last] = Math.max(8, Math.min(widths[last] ?? 0, width - used))
  return [columns.map(({ title }) => title), ...rows].map(cells =>
    cells
      .map((cell, at) => {
        const cellWidth = widths[at] ?? 0
        return columns[at]?.align === 'right' ? padLeft(cell, cellWidth) : padText(cell, cellWidth)
      })
      .join('  ')
      .trimEnd(),
  )
}
