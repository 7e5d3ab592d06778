import { boundError, boundLabel, type JsonValue } from '@tutti/protocol'

// Reading of objects that other programs wrote: what is missing or of the wrong kind is undefined.

export type Fields = Record<string, unknown>

/** The value as an object; undefined when it is none. */
export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A name, bounded and on one line. */
export function nameOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : boundLabel(text)
}

/** A message, bounded. */
export function messageOf(value: unknown): string | undefined {
  const text = textOf(value) ?? textOf(fieldsOf(value)?.['message'])
  return text === undefined ? undefined : boundError(text)
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** What was parsed from JSON is a JSON value. */
export function jsonOf(value: unknown): JsonValue | undefined {
  return value as JsonValue | undefined
}

/** The object without what is undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** JSON text as an object; undefined when it is none. */
export function parseFields(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return undefined
  }
}
