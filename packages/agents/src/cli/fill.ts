import type { JsonValue } from '@tutti/protocol'

/** What placeholders stand for; undefined: there is none this time. */
export type Values = Readonly<Record<string, JsonValue | undefined>>

const PLACEHOLDER = /\{([A-Za-z]+)\}/g

/** Names of the placeholders in a text. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '')
}

/** Puts values in; what is no string as JSON. Words in braces that name no value stay. */
export function fillText(text: string, values: Values): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'string' ? value : JSON.stringify(value)
  })
}

/** The arguments, without the groups for which a value is missing. */
export function fillArguments(args: readonly (string | string[])[], values: Values): string[] {
  return args.flatMap(arg => {
    if (typeof arg === 'string') return [fillText(arg, values)]
    return isComplete(arg, values) ? arg.map(word => fillText(word, values)) : []
  })
}

/** The variables for which every value is there. */
export function fillEnvironment(
  env: Readonly<Record<string, string>>,
  values: Values,
): Record<string, string> {
  const complete = Object.entries(env).filter(([, text]) => isComplete([text], values))
  return Object.fromEntries(complete.map(([name, text]) => [name, fillText(text, values)]))
}

/** JSON with values put in; a text that is nothing but a placeholder becomes the value itself. Undefined: one is missing. */
export function fillJson(json: JsonValue, values: Values): JsonValue | undefined {
  if (typeof json === 'string') {
    if (!isComplete([json], values)) return undefined
    const only = /^\{([A-Za-z]+)\}$/.exec(json)?.[1]
    return only === undefined ? fillText(json, values) : values[only]
  }
  if (typeof json !== 'object' || json === null) return json
  if (Array.isArray(json)) {
    const list = json.map(one => fillJson(one, values))
    return list.includes(undefined) ? undefined : (list as JsonValue[])
  }
  const filled: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(json)) {
    const one = fillJson(value, values)
    if (one === undefined) return undefined
    filled[name] = one
  }
  return filled
}

function isComplete(texts: string[], values: Values): boolean {
  return texts
    .flatMap(placeholdersIn)
    .every(name => !Object.hasOwn(values, name) || values[name] !== undefined)
}
