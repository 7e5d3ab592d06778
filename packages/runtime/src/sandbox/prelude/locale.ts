import type { Primordials } from './types.ts'

/** Runs in the engine. One fixed locale, like en-US, in UTC; the locale argument is ignored. */
export function fixLocale(p: Primordials): void {
  interface NumberOptions {
    minimumFractionDigits?: number
    maximumFractionDigits?: number
    style?: string
  }

  interface CompareOptions {
    numeric?: boolean
    sensitivity?: string
  }

  const define = (target: object, methods: Record<string, unknown>): void => {
    for (const name of p.keys(methods)) p.hide(target, name, methods[name])
  }

  function group(digits: string): string {
    let grouped = ''
    for (let end = digits.length; end > 0; end -= 3) {
      const part = digits.slice(end > 3 ? end - 3 : 0, end)
      grouped = grouped === '' ? part : part + ',' + grouped
    }
    return grouped
  }

  function formatNumber(value: number, options: NumberOptions): string {
    if (Number.isNaN(value)) return 'NaN'
    const percent = options.style === 'percent'
    const least = options.minimumFractionDigits ?? 0
    const most = options.maximumFractionDigits ?? Math.max(least, percent ? 0 : 3)
    const size = Math.abs(percent ? value * 100 : value)
    const sign = value < 0 || Object.is(value, -0) ? '-' : ''
    const tail = percent ? '%' : ''
    if (size === Infinity) return sign + '∞' + tail
    if (size >= 1e21) return sign + group(BigInt(size).toString()) + tail
    const [whole = '0', fraction = ''] = size.toFixed(most).split('.')
    let kept = fraction
    while (kept.length > least && kept.endsWith('0')) kept = kept.slice(0, -1)
    return sign + group(whole) + (kept === '' ? '' : '.' + kept) + tail
  }

  const two = (value: number): string => (value < 10 ? '0' : '') + value

  function dateText(date: Date): string {
    return date.getUTCMonth() + 1 + '/' + date.getUTCDate() + '/' + date.getUTCFullYear()
  }

  function timeText(date: Date): string {
    const hours = date.getUTCHours()
    const clock = (hours % 12 || 12) + ':' + two(date.getUTCMinutes()) + ':' + two(date.getUTCSeconds())
    return clock + (hours < 12 ? ' AM' : ' PM')
  }

  const unlessInvalid = (date: Date, show: (date: Date) => string): string =>
    Number.isNaN(date.getTime()) ? 'Invalid Date' : show(date)

  /** Runs of digits by value, everything else as it is: 'a10' after 'a9'. */
  function padNumbers(text: string): string {
    return text.replace(/\d+/g, digits => digits.replace(/^0+(?=\d)/, '').padStart(20, '0'))
  }

  const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const accented = (text: string): string => text.normalize('NFD').toLowerCase()
  const base = (text: string): string => accented(text).replace(/\p{M}/gu, '')

  function compare(a: string, b: string, options: CompareOptions): number {
    const [left, right] = options.numeric === true ? [padNumbers(a), padNumbers(b)] : [a, b]
    const byBase = order(base(left), base(right))
    if (byBase !== 0 || options.sensitivity === 'base') return byBase
    const byAccent = order(accented(left), accented(right))
    if (byAccent !== 0 || options.sensitivity === 'accent') return byAccent
    // Lower case first.
    return -order(left.normalize('NFD'), right.normalize('NFD'))
  }

  define(Number.prototype, {
    toLocaleString(this: number, _locale?: unknown, options?: NumberOptions) {
      return formatNumber(this, options ?? {})
    },
  })
  define(BigInt.prototype, {
    toLocaleString(this: bigint) {
      const text = this.toString()
      return text.startsWith('-') ? '-' + group(text.slice(1)) : group(text)
    },
  })
  define(Date.prototype, {
    toLocaleString(this: Date) {
      return unlessInvalid(this, date => dateText(date) + ', ' + timeText(date))
    },
    toLocaleDateString(this: Date) {
      return unlessInvalid(this, dateText)
    },
    toLocaleTimeString(this: Date) {
      return unlessInvalid(this, timeText)
    },
  })
  define(String.prototype, {
    localeCompare(this: string, other: unknown, ...[, options]: [unknown?, CompareOptions?]) {
      return compare(this, String(other), options ?? {})
    },
    toLocaleLowerCase(this: string) {
      return this.toLowerCase()
    },
    toLocaleUpperCase(this: string) {
      return this.toUpperCase()
    },
  })
}
