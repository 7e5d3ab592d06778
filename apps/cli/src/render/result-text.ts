import type { JsonValue } from '@tutti/protocol'
import { safeBlock } from './text-width.ts'

/** A result for a person: strings as they are, anything else as indented JSON. */
export function resultText(value: JsonValue | undefined, isTty: boolean): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  return `${isTty ? safeBlock(text) : text}\n`
}

/** A result for a program: one line, the same bytes for the same value. */
export function resultLine(value: JsonValue | undefined): string {
  return `${JSON.stringify(value ?? null)}\n`
}
