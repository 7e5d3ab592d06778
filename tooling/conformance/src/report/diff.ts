import { sorted } from '../expect/equal.ts'

/** The two values as lines of JSON: `-` only wanted, `+` only actual, three lines of context around. */
export function diff(wanted: unknown, actual: unknown): string[] {
  const lines = alter(pretty(wanted), pretty(actual))
  return lines.filter((_, index) => lines.slice(Math.max(0, index - 3), index + 4).some(isChange))
}

function pretty(value: unknown): string[] {
  return (JSON.stringify(sorted(value), null, 2) ?? 'nothing').split('\n')
}

function isChange(line: string): boolean {
  return !line.startsWith(' ')
}

/** The shortest edit from one list of lines to the other, by longest common subsequence. */
function alter(from: string[], to: string[]): string[] {
  const length = common(from, to)
  const lines: string[] = []
  let left = 0
  let right = 0
  while (left < from.length || right < to.length) {
    if (left < from.length && from[left] === to[right]) {
      lines.push(`  ${from[left]}`)
      left += 1
      right += 1
    } else if (
      right >= to.length ||
      (left < from.length && at(length, left + 1, right) >= at(length, left, right + 1))
    ) {
      lines.push(`- ${from[left]}`)
      left += 1
    } else {
      lines.push(`+ ${to[right]}`)
      right += 1
    }
  }
  return lines
}

/** `length[i][j]`: the longest common subsequence of the lines from `i` and from `j` on. */
function common(from: string[], to: string[]): number[][] {
  const length = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0))
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const best =
        from[i] === to[j]
          ? at(length, i + 1, j + 1) + 1
          : Math.max(at(length, i + 1, j), at(length, i, j + 1))
      const row = length[i]
      if (row) row[j] = best
    }
  }
  return length
}

function at(table: number[][], row: number, column: number): number {
  return table[row]?.[column] ?? 0
}
