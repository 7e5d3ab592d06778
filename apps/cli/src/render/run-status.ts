import type { RunSummary } from '@tutti/runtime'
import type { ForeignProduct, ForeignRunSummary } from '@tutti/storage'

/** The state of a run as people are told it. */
export function shownStatus({ record, interrupted }: RunSummary): string {
  if (interrupted) return 'interrupted'
  if (record.status === 'killed') return 'stopped'
  return record.status === 'completed' && record.degraded ? 'completed with failures' : record.status
}

/** The state of a run of another product, and whose it is. */
export function foreignStatus({ status, product }: ForeignRunSummary): string {
  return `${status === 'killed' ? 'stopped' : status} (${PRODUCTS[product]})`
}

const PRODUCTS: Record<ForeignProduct, string> = { 'claude-code': 'Claude Code', codebuddy: 'CodeBuddy' }

/** `2026-11-03 14:05:09`, local time. */
export function shownTime(ms: number): string {
  const date = new Date(ms)
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** `11-03 14:05:09` in this year, else the day only. */
export function shortTime(ms: number, now: number): string {
  const text = shownTime(ms)
  return text.slice(0, 4) === shownTime(now).slice(0, 4) ? text.slice(5) : text.slice(0, 10)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
