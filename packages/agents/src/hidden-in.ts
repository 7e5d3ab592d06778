/** A value without what `hide` takes out of texts; the same object where there is nothing to hide. */
export function hiddenIn<Value>(value: Value, hide: (text: string) => string): Value {
  return isClean(value, hide) ? value : (cleaned(value, hide) as Value)
}

/** Every piece of every answer is looked at, and hardly one holds anything: looking makes no copies. */
function isClean(value: unknown, hide: (text: string) => string): boolean {
  if (typeof value === 'string') return hide(value) === value
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(one => isClean(one, hide))
  for (const name in value) {
    if (hide(name) !== name || !isClean((value as Record<string, unknown>)[name], hide)) return false
  }
  return true
}

function cleaned(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(one => cleaned(one, hide))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), cleaned(one, hide)]))
}
