import { isObject } from '../case/shape.ts'
import { sameJson } from './equal.ts'

/** The fields of `actual` that `wanted` names; lists of labelled entries count as named fields too. */
export function namedFields(wanted: Record<string, unknown>, actual: unknown): Record<string, unknown> {
  const source = isObject(actual) ? actual : {}
  return Object.fromEntries(Object.keys(wanted).map(key => [key, named(wanted[key], source[key])]))
}

/**
 * For each wanted entry, in order, the named fields of the entry it is compared with: one of the same label,
 * each taken once, those that match before those that do not.
 */
function namedEntries(wanted: Record<string, unknown>[], actual: unknown): unknown[] {
  const free = Array.isArray(actual) ? actual.filter(isObject) : []
  const taken = new Map<number, unknown>()
  take(wanted, { free, taken, only: sameFields })
  take(wanted, { free, taken, only: sameLabel })
  return wanted.map((_, index) => taken.get(index) ?? 'no such entry')
}

function take(
  wanted: Record<string, unknown>[],
  pool: {
    free: Record<string, unknown>[]
    taken: Map<number, unknown>
    only: (wanted: Record<string, unknown>, entry: Record<string, unknown>) => boolean
  },
): void {
  for (const [index, entry] of wanted.entries()) {
    if (pool.taken.has(index)) continue
    const found = pool.free.findIndex(candidate => pool.only(entry, candidate))
    if (found >= 0) pool.taken.set(index, namedFields(entry, pool.free.splice(found, 1)[0]))
  }
}

function sameFields(wanted: Record<string, unknown>, entry: Record<string, unknown>): boolean {
  return sameJson(namedFields(wanted, entry), wanted)
}

function sameLabel(wanted: Record<string, unknown>, entry: Record<string, unknown>): boolean {
  return wanted['label'] === undefined || wanted['label'] === entry['label']
}

/** What of `actual` is to be compared with `wanted`: all of it, but of labelled entries the named fields. */
export function named(wanted: unknown, actual: unknown): unknown {
  const labelled =
    Array.isArray(wanted) && wanted.length > 0 && wanted.every(entry => isObject(entry) && 'label' in entry)
  return labelled ? namedEntries(wanted as Record<string, unknown>[], actual) : actual
}
