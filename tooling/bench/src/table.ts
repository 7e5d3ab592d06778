import { meets, type Figure, type Unit } from './figure.ts'
import type { Series } from './series.ts'

const HEAD = ['', 'median', 'spread', 'baseline', 'target', '']

/** The figures as aligned text; a miss is marked. */
export function table(figures: Figure[]): string {
  const rows = [HEAD, ...figures.map(cells)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map(row => (row[column] ?? '').length)))
  return rows
    .map(row =>
      row
        .map((cell, column) => pad(cell, { width: widths[column] ?? 0, left: column === 0 }))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function cells(figure: Figure): string[] {
  const { name, unit, value, baseline, target } = figure
  return [
    name,
    amount(value.median, unit),
    spread(value, unit),
    baseline ? amount(baseline.median, unit) : '',
    target === undefined ? '' : `≤ ${amount(target, unit)}`,
    mark(meets(figure)),
  ]
}

function spread({ min, max }: Series, unit: Unit): string {
  return min === max ? '' : `${digits(min, unit)}–${digits(max, unit)}`
}

function amount(value: number, unit: Unit): string {
  return `${digits(value, unit)} ${unit}`
}

function mark(met: boolean | undefined): string {
  return met === undefined ? '' : met ? '✓' : '✗ missed'
}

function digits(value: number, unit: Unit): string {
  if (unit === 'calls') return String(value)
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}

function pad(cell: string, { width, left }: { width: number; left: boolean }): string {
  const space = ' '.repeat(width - cell.length)
  return left ? cell + space : space + cell
}
