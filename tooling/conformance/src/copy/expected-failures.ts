import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { isObject } from '../case/shape.ts'

/** Why a case of the copy is expected to fail; undefined for every other case. */
export interface ExpectedFailures {
  reasonOf(file: string): string | undefined
  /** Entries that name no file of the copy. */
  stale: string[]
}

/** Reads the list `{ "<path below the copy>": "<reason>" }`. A list that is not one throws. */
export function readExpectedFailures(list: string, copy: string): ExpectedFailures {
  const value: unknown = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : {}
  if (
    !isObject(value) ||
    !Object.values(value).every(reason => typeof reason === 'string' && reason !== '')
  ) {
    throw new Error(`${list}: an object from paths to reasons is expected`)
  }
  const reasons = new Map(Object.entries(value) as [string, string][])
  return {
    reasonOf: file => reasons.get(relative(copy, file).replaceAll('\\', '/')),
    stale: [...reasons.keys()].filter(name => !existsSync(`${copy}/${name}`)),
  }
}
