import type { JsonObject, SerializedError } from '@tutti/protocol'

const MARKER = Symbol.for('tutti.error')

export interface ErrorDetails {
  hint?: string
  cause?: unknown
}

/** Base of all errors a user can reach. `code` is stable; `message` says what, where and what to do. */
export class TuttiError extends Error {
  readonly code: string
  readonly hint?: string

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.name = new.target.name
    Object.defineProperty(this, MARKER, { value: true })
    if (details.hint !== undefined) this.hint = details.hint
  }
}

/** True for errors of this kind from any installed copy of the package. */
export function isTuttiError(value: unknown): value is TuttiError {
  return typeof value === 'object' && value !== null && (value as { [MARKER]?: unknown })[MARKER] === true
}

interface Loose {
  code?: unknown
  hint?: unknown
  scriptStack?: unknown
  data?: unknown
}

const MAX_CAUSES = 5

/** An error as data, causes included. Anything that can be thrown is accepted. */
export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error) && !isTuttiError(error)) {
    return { name: 'Error', message: String(error) }
  }
  const data: SerializedError = { name: error.name, message: error.message }
  const { code, hint, scriptStack, data: fields } = error as Loose
  if (typeof code === 'string') data.code = code
  if (typeof hint === 'string') data.hint = hint
  if (typeof scriptStack === 'string') data.stack = scriptStack
  if (typeof fields === 'object' && fields !== null) data.data = fields as JsonObject
  if (error.cause !== undefined && depth < MAX_CAUSES) data.cause = serializeError(error.cause, depth + 1)
  return data
}
