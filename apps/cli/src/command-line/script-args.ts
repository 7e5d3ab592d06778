import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { JsonValue } from '@tutti/protocol'
import { UsageError } from '../usage-error.ts'

export interface ScriptArgsInput {
  /** `--args`: JSON. */
  args?: string
  /** `--args-file`: a file with JSON. */
  argsFile?: string
  /** `key=value` words. */
  pairs: string[]
}

/** The `args` of a script as the command line gives them; undefined when it gives none. */
export async function readScriptArgs(input: ScriptArgsInput, cwd: string): Promise<JsonValue | undefined> {
  const given = [
    input.args !== undefined && '--args',
    input.argsFile !== undefined && '--args-file',
    input.pairs.length > 0 && 'key=value',
  ].filter(name => name !== false)
  if (given.length > 1) throw new UsageError(`${given.join(' and ')} exclude each other; give one of them`)
  if (input.args !== undefined) return parseJson(input.args, '--args')
  if (input.argsFile !== undefined) return readArgsFile(input.argsFile, cwd)
  return input.pairs.length === 0 ? undefined : parsePairs(input.pairs)
}

/** An object from `key=value` words. A value that is JSON is taken as such, anything else is a string. */
export function parsePairs(pairs: string[]): JsonValue {
  const entries = new Map<string, JsonValue>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    if (at < 1) {
      throw new UsageError(
        `"${pair}" is not key=value`,
        'Script arguments are key=value words, or JSON with --args.',
      )
    }
    const key = pair.slice(0, at)
    if (key === '__proto__') throw new UsageError('"__proto__" is not allowed as a key')
    if (entries.has(key)) throw new UsageError(`"${key}" is given twice`)
    entries.set(key, jsonOrText(pair.slice(at + 1)))
  }
  return Object.fromEntries(entries)
}

async function readArgsFile(file: string, cwd: string): Promise<JsonValue> {
  let text: string
  try {
    text = await readFile(resolve(cwd, file), 'utf8')
  } catch (error) {
    throw new UsageError(`--args-file: cannot read ${file}: ${(error as Error).message}`)
  }
  return parseJson(text.replace(/^\uFEFF/, ''), `--args-file ${file}`)
}

function parseJson(text: string, where: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw new UsageError(
      `${where} is not JSON: ${(error as Error).message}`,
      `A plain string needs its quotes: --args '"text"'. For simple objects, use key=value words instead.`,
    )
  }
}

function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
