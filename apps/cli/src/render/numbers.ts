/** `950`, `1.2k`, `34k`, `1.2M`. */
export function formatTokens(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 99_950) return `${trimZero((tokens / 1000).toFixed(tokens < 9_950 ? 1 : 0))}k`
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`
  return `${trimZero((tokens / 1_000_000).toFixed(1))}M`
}

/** `0.4s`, `12s`, `3m 05s`, `1h 02m`. */
export function formatDuration(ms: number): string {
  const safe = Math.max(0, ms)
  if (safe < 9_950) return `${(safe / 1000).toFixed(1)}s`
  const seconds = Math.round(safe / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${two(seconds % 60)}s`
  return `${Math.floor(minutes / 60)}h ${two(minutes % 60)}m`
}

/** `512 B`, `3.4 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  const digits = unit > 0 && value < 9.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit]}`
}

/** `$0.0042`, `$1.20`: at least two digits that say something; what is too little for that is not shown as nothing. */
export function formatDollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return '<$0.0001'
  return `$${amount >= 0.1 || amount === 0 ? amount.toFixed(2) : amount.toFixed(4)}`
}

/** `1 agent`, `2 agents`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function trimZero(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text
}
