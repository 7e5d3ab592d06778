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

/** What `read` gives, or `none`, which lifts what was there. It is no null: that would count as not given. */
export function orNone<T>(read: (text: string) => T): (text: string) => T | 'none' {
  return text => (text === 'none' ? text : read(text))
}

/** An amount of money above 0, for the option of that name. */
export function dollars(name: string): (text: string) => number {
  return text => {
    const value = /^\$?\d+(\.\d+)?$/.test(text) ? Number(text.replace('$', '')) : 0
    if (value > 0) return value
    throw new UsageError(`${name} must be an amount in US dollars such as 2.50, not "${text}"`)
  }
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `15m`, `1h30m`, `30d` in milliseconds, for the option of that name. */
export function duration(name: string): (text: string) => number {
  return text => {
    const whole = /^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)
    const parts = whole ? text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g) : []
    const value = Math.round(
      [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (UNITS[unit ?? ''] ?? 0), 0),
    )
    if (value >= 1 && Number.isSafeInteger(value)) return value
    throw new UsageError(`${name} must be a duration such as 90s, 15m, 1h30m or 30d, not "${text}"`)
  }
}

/** A call by its number, or by its label, for the option or word of that name. */
export function callReference(name: string): (text: string) => string | number {
  return text => {
    if (text === '') throw new UsageError(`${name} must be the label or the number of a call`)
    return /^\d{1,9}$/.test(text) ? Number(text) : text
  }
}

/** A lower-case UUID. */
export function sessionId(text: string): string {
  const id = text.toLowerCase()
  if (SESSION_ID_PATTERN.test(id)) return id
  throw new UsageError(`--session must be a UUID, not "${text}"`)
}
