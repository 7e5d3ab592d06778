import type { FindingRule } from './types.ts'

/** A finding that does not know its line yet. */
export interface Problem {
  rule: FindingRule
  severity: 'error' | 'warning'
  message: string
  /** Into the text without byte order mark. */
  offset: number
}

/** Takes problems as they are found. */
export type Report = (problem: Problem) => void
