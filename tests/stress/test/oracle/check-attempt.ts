import type { JournalLine } from '@tutti/protocol'
import type { AttemptReport } from '../stage/attempt.ts'
import { checkLines } from './check-lines.ts'
import type { History, Rec } from './history.ts'
import { nameAll } from './names.ts'
import { predict, type FreshOutcome, type IssuedCall } from './predict.ts'
import { withUnseen } from './unseen.ts'

/** What an attempt did against the rule; nothing when it kept to it. */
export interface Verdict {
  problems: string[]
  /** `key#n` → the record it took. */
  taken: Map<string, Rec>
  issued: number
  cached: number
  live: number
  /** Of the live ones those that had a record. */
  barred: number
}

/** Holds an attempt against the rule and against what must hold of every journal. */
export function checkAttempt(report: AttemptReport, history: History): Verdict {
  const { lines, attempt, limit, end } = report
  const named = nameAll(report.trace, limit)
  const merged = withUnseen(report.trace, lines, named)
  const { calls, violations } = predict(merged.trace, history, { attempt, named, fresh: outcomesOf(lines) })
  const issued = calls.filter(call => !call.refused)
  const taken = new Map(
    issued.flatMap(({ name, taken: rec }) => (rec === undefined ? [] : [[name, rec] as const])),
  )
  const problems = [
    ...merged.problems,
    ...violations,
    ...checkLines(lines),
    ...(report.startedTooLate > 0 ? [`${report.startedTooLate} agents were started after the stop`] : []),
    ...checkDispatches(report, issued),
    ...(end === undefined ? [] : checkCensus(report, issued)),
  ]
  const live = issued.length - taken.size
  const barred = issued.filter(call => call.barred).length
  return { problems, taken, issued: issued.length, cached: taken.size, live, barred }
}

/** Dispatched is exactly what the rule sends; of a process that died, no more than that. */
function checkDispatches({ lines, started, end }: AttemptReport, issued: IssuedCall[]): string[] {
  const expected = new Set(issued.filter(call => call.taken === undefined).map(call => call.name))
  const known = keysIn(lines)
  const dispatched = namesOf(lines, 'started')
  const ended = [...namesOf(lines, 'result'), ...namesOf(lines, 'failed')]
  const wrongly = [...dispatched, ...ended].filter(name => !expected.has(name))
  const problems = wrongly.map(name => `${name} was dispatched or ended, but the rule does not send it`)
  const calls = started.map(call => `${call.key}#${call.n}`).filter(name => known.has(name))
  problems.push(...twice(calls).map(name => `${name} was dispatched twice in one attempt`))
  problems.push(...twice(dispatched).map(name => `${name} has two started lines in one attempt`))
  problems.push(...twice(ended).map(name => `${name} has two terminal lines in one attempt`))
  if (end === undefined || lost(end.error?.code)) return problems
  const missing = [...expected].filter(name => !ended.includes(name))
  return [...problems, ...missing.map(name => `${name} has no terminal line`)]
}

function checkCensus({ end }: AttemptReport, issued: IssuedCall[]): string[] {
  if (end === undefined || lost(end.error?.code)) return []
  const { total, ok, cached, failed, stopped, skipped } = end.record.census
  const problems: string[] = []
  if (total !== issued.length)
    problems.push(`the census counts ${total} calls, the script issued ${issued.length}`)
  if (total !== ok + cached + failed + stopped + skipped) {
    problems.push(`the census does not add up: ${JSON.stringify(end.record.census)}`)
  }
  const taken = issued.filter(call => call.taken !== undefined).length
  if (cached > taken) problems.push(`the census counts ${cached} cached calls of ${taken} that took a record`)
  return problems
}

function lost(code: string | undefined): boolean {
  return code === 'lease-lost' || code === 'journal-write-failed'
}

function outcomesOf(lines: readonly JournalLine[]): Map<string, FreshOutcome> {
  return new Map(
    lines.flatMap(line =>
      line.type === 'result' || line.type === 'failed'
        ? [[`${line.key}#${line.n}`, { effects: line.effects, seq: line.seq }] as const]
        : [],
    ),
  )
}

function keysIn(lines: readonly JournalLine[]): Set<string> {
  return new Set(namesOf(lines, 'started'))
}

function namesOf(lines: readonly JournalLine[], type: 'started' | 'result' | 'failed'): string[] {
  return lines.flatMap(line => (line.type === type ? [`${line.key}#${line.n}`] : []))
}

function twice(names: string[]): string[] {
  return names.filter((name, i) => names.indexOf(name) !== i)
}
