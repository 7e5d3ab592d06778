import type { Program } from 'acorn'
import { sha256 } from '../schema/hash.ts'
import { findCodePoints } from './code-points.ts'
import { toFindings } from './finding.ts'
import { lintScript } from './lint/lint-script.ts'
import { readMeta } from './meta-fields.ts'
import { readLiteral } from './meta-literal.ts'
import { findMeta } from './meta-statement.ts'
import { parseScript, TOO_DEEP } from './parse-script.ts'
import type { Problem, Report } from './problem.ts'
import { sourceText } from './source-text.ts'
import { explainSyntax, findFence } from './syntax/explain-syntax.ts'
import type { CheckResult } from './types.ts'

/** Most characters (UTF-16 units) a script may have. */
export const MAX_SCRIPT_LENGTH = 524_288

/**
 * Reads a script without running it: its meta, and everything that would be refused or is doubtful, as many
 * findings at once as can be told apart. Never throws.
 */
export function checkScript(source: string): CheckResult {
  const text = sourceText(source.slice(0, MAX_SCRIPT_LENGTH))
  if (source.length > MAX_SCRIPT_LENGTH) {
    const message = `the script has ${source.length} characters; at most ${MAX_SCRIPT_LENGTH} are allowed. Pass data through args instead`
    return {
      ok: false,
      findings: toFindings(text, [{ rule: 'size', severity: 'error', message, offset: 0 }]),
    }
  }
  const problems = findCodePoints(text.text)
  const report: Report = problem => problems.push(problem)
  const meta = readScript(text.text, report)
  const findings = toFindings(text, problems)
  if (meta === undefined || findings.some(({ severity }) => severity === 'error'))
    return { ok: false, findings }
  return { ok: true, meta, warnings: findings, hash: sha256(source) }
}

function readScript(text: string, report: Report): ReturnType<typeof readMeta> {
  const fence = findFence(text)
  if (fence !== undefined) {
    report(fence)
    return undefined
  }
  const { program, problems } = parseScript(text)
  for (const problem of problems) report(explainSyntax(text, problem))
  if (program === undefined) return undefined
  try {
    return readProgram(program, text, report)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    report(tooDeep())
    return undefined
  }
}

function readProgram(program: Program, text: string, report: Report): ReturnType<typeof readMeta> {
  lintScript(program, text, report)
  const node = findMeta(program, report)
  const literal = node && readLiteral(node, 'meta', report)
  return literal && readMeta(literal, report)
}

function tooDeep(): Problem {
  return { rule: 'syntax', severity: 'error', message: TOO_DEEP, offset: 0 }
}
