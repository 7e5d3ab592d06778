import type { JsonValue } from '@tutti/protocol'

/**
 * The one text of a JSON value (RFC 8785): no white space, keys in the order of their UTF-16 units, numbers as
 * ECMAScript writes them. Throws TypeError for what is no JSON value, naming its place.
 */
export function canonicalJson(value: JsonValue): string {
  return write(value, '')
}

function write(value: unknown, path: string): string {
  switch (typeof value) {
    case 'string':
      // Half of a surrogate pair is escaped: as unambiguous as an error, and any text has a key.
      return JSON.stringify(value)
    case 'boolean':
      return String(value)
    case 'number':
      if (Number.isFinite(value)) return JSON.stringify(value)
      throw new TypeError(`${place(path)} is ${value}, which is no JSON number`)
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return writeArray(value, path)
      return writeObject(value as Record<string, unknown>, path)
    default:
      throw new TypeError(`${place(path)} is ${describe(value)}, which is no JSON value`)
  }
}

function writeArray(values: readonly unknown[], path: string): string {
  const parts: string[] = []
  for (let i = 0; i < values.length; i++) parts.push(write(values[i], `${path}/${i}`))
  return `[${parts.join(',')}]`
}

function writeObject(object: Record<string, unknown>, path: string): string {
  const parts: string[] = []
  // The default order of sort is that of UTF-16 units.
  for (const key of Object.keys(object).sort()) {
    parts.push(`${JSON.stringify(key)}:${write(object[key], `${path}/${key}`)}`)
  }
  return `{${parts.join(',')}}`
}

function place(path: string): string {
  return path === '' ? 'the value' : path
}

function describe(value: unknown): string {
  return value === undefined ? 'undefined' : `a ${typeof value}`
}
