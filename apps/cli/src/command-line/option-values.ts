import { SESSION_ID_PATTERN } from '@tutti/protocol'
import { UsageError } from '../usage-error.ts'

/** A whole number of at least 1, for the option of that name. */
export function wholeNumber(name: string): (text: string) => number {
  return text => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (Number.isSafeInteger(value) && value >= 1) return value
    throw new UsageError(`${name} must be a whole number of at least 1, not "${text}"`)
  }
}

/** A lower-case UUID. */
export function sessionId(text: string): string {
  const id = text.toLowerCase()
  if (SESSION_ID_PATTERN.test(id)) return id
  throw new UsageError(`--session must be a UUID, not "${text}"`)
}
