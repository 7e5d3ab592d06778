import type { JournalLine } from '@tutti/protocol'

export function lastAttempt(lines: JournalLine[]): number {
  return lines.reduce((last, line) => Math.max(last, line.attempt), 0)
}

/** Agents of the last attempt that were started and have no end in the journal. */
export function unfinished(lines: JournalLine[]): number {
  const last = lines.filter(line => line.attempt === lastAttempt(lines))
  return starts(last) - last.filter(line => line.type === 'result' || line.type === 'failed').length
}

/** The last attempt has come to its end. */
export function hasEnded(lines: JournalLine[]): boolean {
  return lines.some(line => line.type === 'run_end' && line.attempt === lastAttempt(lines))
}

/** Calls that were started although an earlier line has their result. */
export function repeated(lines: JournalLine[]): string[] {
  const finished = new Set<string>()
  return lines.flatMap(line => {
    if (line.type === 'result') finished.add(`${line.key}#${line.n}`)
    return line.type === 'started' && finished.has(`${line.key}#${line.n}`)
      ? [`${line.label} at ${line.seq}`]
      : []
  })
}

/** Lines that do not come after those before them. */
export function disordered(lines: JournalLine[]): number[] {
  return lines.flatMap((line, at) => {
    const before = lines[at - 1]
    const ok = before === undefined || (line.seq > before.seq && line.fence >= before.fence)
    return ok ? [] : [line.seq]
  })
}

export function starts(lines: JournalLine[]): number {
  return lines.filter(line => line.type === 'started').length
}

export function results(lines: JournalLine[]): number {
  return lines.filter(line => line.type === 'result').length
}
