import type { JsonValue } from '@tutti/protocol'

const KEYWORDS = new Set(
  '$schema title description type properties required additionalProperties items enum const anyOf'.split(' '),
)

/**
 * Whether a schema is of the subset that strict modes take as it is: plain keywords, all properties required,
 * no others allowed.
 */
export function isStrictSchema(schema: JsonValue): boolean {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return false
  if (Object.keys(schema).some(keyword => !KEYWORDS.has(keyword))) return false
  const { type, properties, required, additionalProperties, items, anyOf } = schema
  if (
    type === undefined &&
    anyOf === undefined &&
    schema['enum'] === undefined &&
    schema['const'] === undefined
  )
    return false
  if (type === 'object') {
    const names = Object.keys(asObject(properties))
    const needed = Array.isArray(required) ? required : []
    if (additionalProperties !== false || names.some(name => !needed.includes(name))) return false
  }
  if (type === 'array' && items === undefined) return false
  const inner = [...Object.values(asObject(properties)), ...(items === undefined ? [] : [items])]
  return [...inner, ...(Array.isArray(anyOf) ? anyOf : [])].every(isStrictSchema)
}

function asObject(value: JsonValue | undefined): Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
