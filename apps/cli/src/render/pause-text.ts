import type { RunEnd } from '@tutti/runtime'
import { formatDuration } from './numbers.ts'
import { safeLine } from './text-width.ts'

/** A pause that ends by itself, in one line: why, when it ends, how to leave. */
export function pausedLine(end: RunEnd, until: number, now: number): string {
  const name = safeLine(end.record.workflowName)
  const cause = end.pausedBy ?? 'user'
  return `${name} paused: ${cause} · goes on at ${timeOfDay(until, now)} (in ${formatDuration(until - now)}) · Ctrl-C leaves it paused`
}

/** `14:05:09`, with the day when it is another one; local time. */
function timeOfDay(ms: number, now: number): string {
  const date = new Date(ms)
  const two = (value: number): string => String(value).padStart(2, '0')
  const time = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`
}
