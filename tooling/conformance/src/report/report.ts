import type { StepMisses } from '../steps/run-case.ts'
import { diff } from './diff.ts'

/** How one case came out. */
export interface Verdict {
  name: string
  ms: number
  /** Empty when the case holds. */
  steps: StepMisses[]
  /** Reason why the case is expected to fail. */
  expectedFailure?: string
}

export function holds({ steps }: Verdict): boolean {
  return steps.length === 0
}

/** A miss that nobody expected, or a case that holds although it was expected to fail. */
export function isWrong(verdict: Verdict): boolean {
  return holds(verdict) === (verdict.expectedFailure !== undefined)
}

/** One line, and under it whatever has to be read. */
export function lines(verdict: Verdict): string[] {
  const time = `${Math.round(verdict.ms)} ms`
  const { name, expectedFailure } = verdict
  if (holds(verdict) && expectedFailure === undefined) return [`✓ ${name} (${time})`]
  if (holds(verdict))
    return [`✗ ${name} (${time})`, '    holds, but is listed as an expected failure: take it off the list']
  if (expectedFailure !== undefined) return [`✓ ${name} (${time}) fails as expected: ${expectedFailure}`]
  return [`✗ ${name} (${time})`, ...verdict.steps.flatMap(missLines)]
}

function missLines({ step, kind, misses }: StepMisses): string[] {
  return misses.flatMap(({ field, wanted, actual }) => [
    `    step ${step} (${kind}): ${field}`,
    ...(isShort(wanted) && isShort(actual) ? side(wanted, actual) : diff(wanted, actual)).map(
      line => `      ${line}`,
    ),
  ])
}

function side(wanted: unknown, actual: unknown): string[] {
  return [`- ${JSON.stringify(wanted)}`, `+ ${actual === undefined ? 'nothing' : JSON.stringify(actual)}`]
}

function isShort(value: unknown): boolean {
  return (JSON.stringify(value)?.length ?? 0) <= 100
}
