import type { JsonObject, JsonValue } from '@tutti/protocol'

const LARGEST = 10_000
const LARGEST_WITH_REFERENCES = 100
const COUNTS = ['minItems', 'minProperties', 'minContains']

/** A reference may repeat what it stands in, several levels deep. */
export function hasReferences(schema: JsonObject): boolean {
  return JSON.stringify(schema).includes('"$ref":')
}

/**
 * Why making up a value of this schema would cost too much, or undefined. Schemas come from scripts, and the
 * generator would build lists within lists of any length.
 */
export function tooLarge(schema: JsonObject): string | undefined {
  return search(schema, {
    path: '',
    factor: 1,
    limit: hasReferences(schema) ? LARGEST_WITH_REFERENCES : LARGEST,
  })
}

/** `factor`: how often the value at this path is at least made. */
function search(value: JsonValue, at: { path: string; factor: number; limit: number }): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const counts = Array.isArray(value)
    ? []
    : COUNTS.map(name => Number(value[name] ?? 1)).filter(count => count > 1)
  const factor = counts.reduce((product, count) => product * count, at.factor)
  const longest = Array.isArray(value) ? 0 : Number(value.minLength ?? 0)
  if (factor > at.limit || longest > LARGEST) return `${at.path || '/'} asks for too many items or characters`
  for (const [name, inner] of Object.entries(value)) {
    const found = search(inner, { path: `${at.path}/${name}`, factor, limit: at.limit })
    if (found) return found
  }
  return undefined
}
