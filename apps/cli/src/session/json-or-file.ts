import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isJsonObject, type JsonObject } from '@tutti/protocol'
import { UsageError } from '../usage-error.ts'

/** The JSON object that a flag gives: text that begins with a brace, all else the path of a file. Throws UsageError. */
export async function jsonOrFile(given: string, flag: string, cwd: string): Promise<JsonObject> {
  const isText = given.trimStart().startsWith('{')
  const where = isText ? flag : `${flag} ${given.slice(0, MAX_SHOWN)}`
  const value = parse(isText ? given : await textOf(given, flag, cwd), where)
  if (isJsonObject(value)) return value
  throw new UsageError(`${where} is not a JSON object`)
}

/** The text of a file that a flag names. Throws UsageError. */
export async function textOf(file: string, flag: string, cwd: string): Promise<string> {
  try {
    return (await readFile(resolve(cwd, file), 'utf8')).replace(/^\uFEFF/, '')
  } catch (error) {
    throw new UsageError(`${flag}: cannot read ${file.slice(0, MAX_SHOWN)}: ${(error as Error).message}`)
  }
}

/** What is wrong is told without the text: it may hold a secret. */
function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${where} is not JSON`, 'Give a JSON object, or the path of a file with one.')
  }
}

const MAX_SHOWN = 200
