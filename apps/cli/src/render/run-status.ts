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

/** `2026-11-03 14:05`, local time. */
export function shownTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
