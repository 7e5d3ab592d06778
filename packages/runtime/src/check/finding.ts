import { codeFrame } from './code-frame.ts'
import { visible } from './code-points.ts'
import type { Problem } from './problem.ts'
import { placeAt, type SourceText } from './source-text.ts'
import type { Finding } from './types.ts'

/** More are left out: the first ones are what gets repaired. */
const MAX_FINDINGS = 100

/** Problems with line, column and frame, in the order of the text; errors survive the cut first. */
export function toFindings(source: SourceText, problems: readonly Problem[]): Finding[] {
  const kept = [...problems].sort(bySeverity).slice(0, MAX_FINDINGS)
  return kept
    .sort((a, b) => a.offset - b.offset || bySeverity(a, b))
    .map(problem => {
      const place = placeAt(source, problem.offset)
      return {
        rule: problem.rule,
        severity: problem.severity,
        message: visible(problem.message),
        ...place,
        frame: codeFrame(source, place),
      }
    })
}

function bySeverity(a: Problem, b: Problem): number {
  return Number(a.severity === 'warning') - Number(b.severity === 'warning')
}
