/** The command line, or what it asks for, is wrong. */
export class UsageError extends Error {
  readonly code: string
  readonly hint?: string

  constructor(message: string, hint?: string, code = 'usage') {
    super(message)
    this.name = 'UsageError'
    this.code = code
    if (hint !== undefined) this.hint = hint
  }
}
