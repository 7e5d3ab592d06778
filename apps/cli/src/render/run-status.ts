import type { RunSummary } from '@tutti/runtime'

/** The state of a run as people are told it. */
export function shownStatus({ record, interrupted }: RunSummary): string {
  if (interrupted) return 'interrupted'
  if (record.status === 'killed') return 'stopped'
  return record.status === 'completed' && record.degraded ? 'completed with failures' : record.status
}

/** `2026-11-03 14:05`, local time. */
export function shownTime(ms: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}
