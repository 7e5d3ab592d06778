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

/** Seconds since the epoch, seconds from now, or a date. */
function momentOf(value: string | undefined, now: number): number | undefined {
  if (value === undefined || value === '') return undefined
  const number = Number(value)
  if (Number.isFinite(number)) return number > 1e9 ? number * 1000 : now + number * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : date
}
