// JSON for people: what fits stands on one line, long texts are cut.
const WIDTH = 108
const LONGEST = 300
const MOST = 6

export function print(value) {
  return lines(shortened(value), 0)
}

function lines(value, depth) {
  const flat = oneLine(value)
  if (value === null || typeof value !== 'object' || flat.length + depth <= WIDTH) return flat
  const inner = ' '.repeat(depth + 2)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const parts = Array.isArray(value)
    ? value.map(item => inner + lines(item, depth + 2))
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${lines(item, depth + 2)}`)
  return `${open}\n${parts.join(',\n')}\n${' '.repeat(depth)}${close}`
}

function oneLine(value) {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const parts = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${oneLine(item)}`)
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`
}

function shortened(value) {
  if (typeof value === 'string') return value.length <= LONGEST ? value : `${value.slice(0, LONGEST)}…`
  if (Array.isArray(value)) {
    const kept = value.slice(0, MOST).map(shortened)
    return value.length > MOST ? [...kept, `… ${value.length - MOST} more`] : kept
  }
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item)]))
}
