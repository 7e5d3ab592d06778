import type { RunFailure } from '@tutti/protocol'
import { safeBlock, safeLine } from './text-width.ts'

const MOST_NAMES = 12

/** Failures for a list, the same ones together: `permission_denied × 3: a, b, c`, then the message. */
export function failureLines(failures: readonly RunFailure[]): string[] {
  const groups = new Map<string, RunFailure[]>()
  for (const failure of failures) {
    const key = JSON.stringify([failure.kind, failure.cause, failure.message])
    groups.set(key, [...(groups.get(key) ?? []), failure])
  }
  return [...groups.values()].map(
    group => (group.length === 1 ? group.map(single)[0] : together(group)) ?? '',
  )
}

function single(failure: RunFailure): string {
  const { cause, message } = failure
  return `${nameOf(failure)}: ${cause === undefined ? '' : `${cause}: `}${safeBlock(message)}`
}

function together(group: RunFailure[]): string {
  const { kind, cause, message } = group[0] as RunFailure
  const names = group.slice(0, MOST_NAMES).map(nameOf).join(', ')
  const more = group.length > MOST_NAMES ? `, … and ${group.length - MOST_NAMES} more` : ''
  return `${cause ?? kind} × ${group.length}: ${names}${more}\n  ${safeBlock(message).replaceAll('\n', '\n  ')}`
}

function nameOf({ kind, label, index }: RunFailure): string {
  return safeLine(label ?? (index === undefined ? kind : `${kind} ${index}`))
}
