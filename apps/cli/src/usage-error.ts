/** Codes of errors that only this command has. docs/errors.md has the table. */
type CommandErrorCode =
  | 'usage'
  | 'backend-not-ready'
  | 'no-repository'
  | 'run-has-no-owner'
  | 'run-is-owned'
  | 'sandbox-unavailable'
  | 'setting-not-set'
  | 'workflows-disabled'
  | 'worktree-not-found'

/** Codes of the end of a run that did not complete, where there is no error of the run itself. */
export type RunEndCode = 'run-failed' | 'run-paused' | 'run-stopped'

/** The answer to a prompt is an error. */
export const SESSION_FAILED = 'session-failed'

/** Of an error that should not be: a defect, or the system failed. */
export const INTERNAL_CODE = 'internal'

/** The command line, or what it asks for, is wrong. */
export class UsageError extends Error {
  readonly code: CommandErrorCode
  readonly hint?: string

  constructor(message: string, hint?: string, code: CommandErrorCode = 'usage') {
    super(message)
    this.name = 'UsageError'
    this.code = code
    if (hint !== undefined) this.hint = hint
  }
}
