// Reading fields of data that nobody has checked: a missing field and one of the wrong kind are the same.
import { isObject } from './json.ts'

type Loose = { readonly [key: string]: unknown }

export function textOf(data: Loose, key: string): string | undefined {
  const value = data[key]
  return typeof value === 'string' ? value : undefined
}

export function numberOf(data: Loose, key: string): number | undefined {
  const value = data[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function objectIn(data: Loose, key: string): Loose | undefined {
  const value = data[key]
  return isObject(value) ? value : undefined
}

/** The objects of a list, whatever else is in it; undefined when it is no list. */
export function objectsIn(data: Loose, key: string): Loose[] | undefined {
  const value = data[key]
  return Array.isArray(value) ? value.filter(isObject) : undefined
}
