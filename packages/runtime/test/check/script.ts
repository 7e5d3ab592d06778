import { checkScript } from '../../src/check/check-script.ts'
import type { CheckResult, Finding } from '../../src/check/types.ts'

export const META = "export const meta = { name: 'case', description: 'a case' }"

/** Checks a script with a good meta on line 1 and this from line 2. */
export function checkBody(body: string): CheckResult {
  return checkScript(`${META}\n${body}`)
}

export function findingsOf(result: CheckResult): Finding[] {
  return result.ok ? result.warnings : result.findings
}

export function errorsOf(result: CheckResult): Finding[] {
  return findingsOf(result).filter(({ severity }) => severity === 'error')
}

/** `rule LINE:COLUMN` of each finding. */
export function summary(result: CheckResult): string[] {
  return findingsOf(result).map(({ rule, line, column }) => `${rule} ${line}:${column}`)
}
