import type { JsonValue } from '@tutti/protocol'

/** Parses JSON text. A number too large for a double is a problem, not Infinity. */
export function parseJson(text: string): { value: JsonValue } | { problem: string } {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
  return hasOnlyFiniteNumbers(value) ? { value } : { problem: 'it has a number that is too large' }
}

function hasOnlyFiniteNumbers(value: JsonValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.values(value).every(hasOnlyFiniteNumbers)
}
