import type { JsonValue } from '@tutti/protocol'

/** More than any result has, and less than what walks through values can bear. */
const DEEPEST = 500

/** Parses JSON text. A number too large for a double is a problem, not Infinity, and so is what is nested too deep. */
export function parseJson(text: string): { value: JsonValue } | { problem: string } {
  let value: JsonValue
  if (isDeeper(text)) return { problem: `it is nested more than ${DEEPEST} deep` }
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

function isDeeper(text: string): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const mark = text[at]
    if (inText) {
      if (mark === '\\') at++
      else if (mark === '"') inText = false
    } else if (mark === '"') inText = true
    else if (mark === ']' || mark === '}') depth--
    else if ((mark === '[' || mark === '{') && ++depth > DEEPEST) return true
  }
  return false
}
