/** Any JSON value. Numbers are finite. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject

/** A JSON object. */
export interface JsonObject {
  [key: string]: JsonValue
}

/** A plain object whose values have not been looked at. */
export function isObject(value: unknown): value is { [key: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Whether a value survives JSON unchanged: no undefined, function, symbol, bigint, NaN, class instance or cycle. */
export function isJsonValue(value: unknown): value is JsonValue {
  return isJsonTree(value, new Set())
}

export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value) && isJsonValue(value)
}

/** Values nested deeper than this are refused rather than walked: no real document is. */
const MAX_DEPTH = 2_000

function isJsonTree(value: unknown, parents: Set<unknown>): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  const children = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : undefined
  if (children === undefined || parents.has(value) || parents.size >= MAX_DEPTH) return false
  parents.add(value)
  for (const child of children) if (!isJsonTree(child, parents)) return false
  parents.delete(value)
  return true
}
