import type { JsonObject, JsonValue } from '@tutti/protocol'
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from './keywords.ts'
import type { CreatePattern } from './pattern.ts'

/** Throws the error of a bad schema. `path`: JSON pointer into it. */
export type Refuse = (path: string, message: string) => never

/**
 * A copy that the engine takes in one dialect: without `$id` and `$schema`, tuples in today's spelling
 * (`prefixItems`), patterns checked. References stay as they are.
 */
export function prepareSchema(schema: JsonObject, createPattern: CreatePattern, refuse: Refuse): JsonObject {
  const checkPattern = (source: string, path: string): void => {
    try {
      createPattern(source)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      refuse(path, `the pattern ${JSON.stringify(source)} is not supported (${reason}): ${NO_LOOK_AROUND}`)
    }
  }
  return copier(checkPattern)(schema, '')
}

const NO_LOOK_AROUND =
  'look-around, back references and counts above 1,000 are not; say it in the description and check it in the script'

/** Copies a schema, giving each pattern with its place to `checkPattern`. */
function copier(
  checkPattern: (source: string, path: string) => void,
): (schema: JsonObject, path: string) => JsonObject {
  const copy = (schema: JsonObject, path: string): JsonObject => {
    const entries: [string, JsonValue][] = []
    const isTuple = Array.isArray(schema['items']) && schema['prefixItems'] === undefined
    for (const [key, value] of Object.entries(schema)) {
      if (key === '$id' || key === '$schema') continue
      const where = `${path}/${pointerPart(key)}`
      if (key === 'pattern' && typeof value === 'string') checkPattern(value, where)
      if (key === 'patternProperties' && isObject(value)) {
        for (const name of Object.keys(value)) checkPattern(name, `${where}/${pointerPart(name)}`)
      }
      entries.push([isTuple ? tupleKey(key) : key, copyValue(key, value, where)])
    }
    // Defines even a property named __proto__.
    return Object.fromEntries(entries)
  }
  const copyPart = (part: JsonValue, path: string): JsonValue => (isObject(part) ? copy(part, path) : part)
  const copyValue = (key: string, value: JsonValue, path: string): JsonValue => {
    if (Array.isArray(value)) {
      return SCHEMA_LIST_KEYWORDS.has(key) ? value.map((part, i) => copyPart(part, `${path}/${i}`)) : value
    }
    if (!isObject(value)) return value
    if (SCHEMA_KEYWORDS.has(key)) return copy(value, path)
    if (!SCHEMA_MAP_KEYWORDS.has(key)) return value
    const parts = Object.entries(value).map(
      ([name, part]) => [name, copyPart(part, `${path}/${pointerPart(name)}`)] as const,
    )
    return Object.fromEntries(parts)
  }
  return copy
}

function tupleKey(key: string): string {
  if (key === 'items') return 'prefixItems'
  return key === 'additionalItems' ? 'items' : key
}

/** A key as a part of a JSON pointer. */
export function pointerPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
