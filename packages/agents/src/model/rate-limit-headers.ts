type Headers = Record<string, string>

/** Milliseconds to wait, from `retry-after-ms` or `retry-after` (seconds or a date). */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  const ms = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] !== undefined && ms >= 0) return ms
  const given = headers['retry-after']
  if (given === undefined) return undefined
  const seconds = Number(given)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const RESETS = ['anthropic-ratelimit-unified-reset', 'x-ratelimit-reset', 'ratelimit-reset']

/** When an exhausted account can go on, in milliseconds since the epoch. */
export function quotaResetOf(headers: Headers, now: number): number | undefined {
  for (const name of RESETS) {
    const at = momentOf(headers[name], now)
    if (at !== undefined) return at
  }
  const wait = retryAfterOf(headers, now)
  return wait === undefined ? undefined : now + wait
}

/** What may be left of, and when there is more of it. */
const LIMITS = [
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(what => ({
    left: `anthropic-ratelimit-${what}-remaining`,
    reset: `anthropic-ratelimit-${what}-reset`,
  })),
  ...['requests', 'tokens'].map(what => ({
    left: `x-ratelimit-remaining-${what}`,
    reset: `x-ratelimit-reset-${what}`,
  })),
]

/** Milliseconds until a limit that is used up is filled again. Undefined while there is something left. */
export function exhaustedForMs(headers: Headers, now: number): number | undefined {
  const waits = LIMITS.filter(({ left }) => headers[left] === '0').map(({ reset }) => {
    const given = headers[reset] ?? ''
    return durationOf(given) ?? Math.max(0, (momentOf(given, now) ?? now) - now)
  })
  const longest = Math.max(0, ...waits)
  return longest > 0 ? longest : undefined
}

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Reads `6m0s`, `1.5s`, `20ms`. */
function durationOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)
  return [...parts].reduce((sum, [, n, unit = '']) => sum + Number(n) * (UNITS[unit] ?? 0), 0)
}

/** Seconds since the epoch, seconds from now, or a date. */
function momentOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value === '') return undefined
  const number = Number(value)
  if (Number.isFinite(number)) return number > 1e9 ? number * 1000 : now + number * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : date
}
