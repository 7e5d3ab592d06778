import { isJsonValue, type JsonValue } from '@tutti/protocol'

export type CommandArgs = { ok: true; args: JsonValue | undefined } | { ok: false; message: string }

/**
 * What follows the name of a workflow in a prompt: JSON when it parses, `key=value` words into an object, else the
 * text itself; undefined when there is nothing.
 */
export function parseCommandArgs(text: string): CommandArgs {
  const rest = text.trim()
  if (rest === '') return { ok: true, args: undefined }
  const json = parseJson(rest)
  if (json !== undefined) return { ok: true, args: json }
  const pairs = readPairs(rest)
  return pairs === undefined ? { ok: true, args: rest } : objectOf(pairs)
}

/** `key=value`; a value with blanks stands in quotes. Single quotes keep a backslash, double ones do not. */
const PAIR = /([A-Za-z_$][\w$-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']\S*|)(?=\s|$)\s*/gsy

/** Undefined when a single word is something else: then it is a sentence. */
function readPairs(text: string): [string, JsonValue][] | undefined {
  const pairs: [string, JsonValue][] = []
  PAIR.lastIndex = 0
  while (PAIR.lastIndex < text.length) {
    const match = PAIR.exec(text)
    if (match === null) return undefined
    const [, key = '', value = ''] = match
    pairs.push([key, valueOf(value)])
  }
  return pairs
}

function objectOf(pairs: [string, JsonValue][]): CommandArgs {
  const entries = new Map<string, JsonValue>()
  for (const [key, value] of pairs) {
    if (key === '__proto__') return { ok: false, message: '"__proto__" is not allowed as a key' }
    if (entries.has(key)) return { ok: false, message: `"${key}" is given twice` }
    entries.set(key, value)
  }
  return { ok: true, args: Object.fromEntries(entries) }
}

/** What stands in quotes is a text; anything else is JSON when it parses. */
function valueOf(text: string): JsonValue {
  if (text.startsWith("'")) return text.slice(1, -1)
  if (text.startsWith('"')) return text.slice(1, -1).replace(/\\(["\\])/g, '$1')
  return parseJson(text) ?? text
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonValue(value) ? value : undefined
  } catch {
    return undefined
  }
}
