// Reading fields of frames that nobody has checked: a missing field and one of the wrong kind are the same.
import type { JsonObject, JsonValue } from '@tutti/protocol'

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asFlag(value: JsonValue | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** The texts of a list, whatever else is in it; undefined when it is no list. */
export function asTexts(value: JsonValue | undefined): string[] | undefined {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined
}
