import type { WorkflowMeta } from '@tutti/protocol'

export type FindingRule =
  | 'size'
  | 'code-point'
  | 'syntax'
  | 'typescript'
  | 'meta'
  | 'module'
  | 'determinism'
  | 'code-generation'
  | 'unknown-global'
  | 'floating-agent'
  | 'promises-not-functions'
  | 'meta-unknown-field'
  | 'phase-repeated'

/** Something `checkScript` found. */
export interface Finding {
  rule: FindingRule
  severity: 'error' | 'warning'
  /** What is wrong and what to do. */
  message: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
  /** The lines around it with a caret. */
  frame: string
}

/** Answer of `checkScript`. */
export type CheckResult =
  | { ok: true; meta: WorkflowMeta; warnings: Finding[]; hash: string }
  | { ok: false; findings: Finding[] }
