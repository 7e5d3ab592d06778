import type { JournalLine } from '@tutti/protocol'

/** What must hold of the lines of one attempt, whatever happened in it. */
export function checkLines(lines: readonly JournalLine[]): string[] {
  const problems: string[] = []
  const [first] = lines
  if (first !== undefined && first.type !== 'launched') problems.push(`the attempt begins with ${first.type}`)
  for (let i = 1; i < lines.length; i++) {
    const [before, line] = [lines[i - 1]!, lines[i]!]
    if (line.seq !== before.seq + 1) problems.push(`line ${line.seq} follows line ${before.seq}`)
    if (line.fence !== before.fence)
      problems.push(`line ${line.seq} has fence ${line.fence} after ${before.fence}`)
    if (before.type === 'run_end') problems.push(`${line.type} after run_end`)
    if (line.type === 'launched') problems.push('a second launched line')
  }
  return [...problems, ...causality(lines)]
}

/** A start comes before its end, an end before its delivery. */
function causality(lines: readonly JournalLine[]): string[] {
  const started = new Set<string>()
  const problems: string[] = []
  for (const line of lines) {
    if (line.type === 'started') started.add(`${line.key}#${line.n}`)
    if (line.type === 'result' && !started.has(`${line.key}#${line.n}`)) {
      problems.push(`${line.key}#${line.n} has a result without a start`)
    }
  }
  return problems
}
