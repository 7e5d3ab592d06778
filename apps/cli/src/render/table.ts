import { fitText, padLeft, padText, textWidth } from './text-width.ts'

export interface Column {
  title: string
  align?: 'left' | 'right'
  /** May be cut down to this many columns; absent: stays whole. */
  least?: number
}

const GAP = 2

/** Columns that a table takes when nothing is cut. */
export function tableWidth(columns: Column[], rows: string[][]): number {
  return sum(naturalWidths(columns, rows)) + GAP * (columns.length - 1)
}

/**
 * Rows under a header, as wide as their longest cell, no line wider than `width`: columns that may be are cut, the
 * last one first.
 */
export function tableLines(columns: Column[], rows: string[][], width: number): string[] {
  const widths = naturalWidths(columns, rows)
  let over = sum(widths) + GAP * (columns.length - 1) - width
  for (let at = columns.length - 1; at >= 0 && over > 0; at--) {
    const natural = widths[at] ?? 0
    const least = columns[at]?.least ?? natural
    const cut = Math.max(0, Math.min(over, natural - least))
    widths[at] = natural - cut
    over -= cut
  }
  return [columns.map(({ title }) => title), ...rows].map(cells => {
    const line = cells.map((cell, at) => {
      const cellWidth = widths[at] ?? 0
      return columns[at]?.align === 'right' ? padLeft(cell, cellWidth) : padText(cell, cellWidth)
    })
    return fitText(line.join(' '.repeat(GAP)).trimEnd(), Math.max(1, width))
  })
}

function naturalWidths(columns: Column[], rows: string[][]): number[] {
  return columns.map((column, at) =>
    Math.max(textWidth(column.title), ...rows.map(row => textWidth(row[at] ?? ''))),
  )
}

function sum(values: number[]): number {
  return values.reduce((total, one) => total + one, 0)
}
