type Json = Record<string, unknown>

/** Where choices come from: 0 up to 1. */
export type Choose = () => number

/** A value that fits a schema of the simpler kind. */
export function exampleOf(schema: Json, choose: Choose = () => 0): unknown {
  const variant = pick([schema['anyOf'], schema['oneOf']].find(Array.isArray) as Json[] | undefined, choose)
  if (variant) return exampleOf(variant, choose)
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return pick(schema['enum'], choose)
  const { type } = schema
  switch (Array.isArray(type) ? pick(type, choose) : type) {
    case 'object':
      return exampleObject(schema, choose)
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 1) }, () =>
        exampleOf(schema['items'] as Json, choose),
      )
    case 'string':
      return WORDS[Math.floor(choose() * WORDS.length)]?.padEnd(Number(schema['minLength'] ?? 0), '.')
    case 'integer':
    case 'number':
      return Math.max(Number(schema['minimum'] ?? 0), Math.floor(choose() * 10))
    case 'boolean':
      return choose() < 0.5
    default:
      return null
  }
}

const WORDS = ['fine', 'a.txt', 'src/b.txt', 'missing.txt', 'line', '**/*.txt', 'correct']

function exampleObject(schema: Json, choose: Choose): Json {
  const properties = (schema['properties'] ?? {}) as Record<string, Json>
  const required = new Set((schema['required'] ?? []) as string[])
  const names = Object.keys(properties).filter(name => required.has(name) || choose() > 0.6)
  return Object.fromEntries(names.map(name => [name, exampleOf(properties[name] ?? {}, choose)]))
}

function pick<T>(values: readonly T[] | undefined, choose: Choose): T | undefined {
  return values?.[Math.floor(choose() * values.length)]
}
