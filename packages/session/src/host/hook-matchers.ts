import type { JsonObject, JsonValue } from '@tutti/protocol'
import { asObject, asText, asTexts } from '../json-fields.ts'

/** Callbacks of the host for one event. */
export interface HookMatcher {
  /** Absent: for all. */
  matcher?: string
  callbackIds: string[]
  timeoutMs: number
  /** A callback that fails counts as a refusal. */
  blockOnFailure: boolean
}

const DEFAULT_TIMEOUT_S = 60
const LONGEST_MATCHER = 1000

/** Reads `{ Event: [{ matcher?, hookCallbackIds, timeout?, onFailure? }] }`; what is no such thing is left out. */
export function readHookMatchers(hooks: JsonObject): Map<string, HookMatcher[]> {
  const events = new Map<string, HookMatcher[]>()
  for (const [event, list] of Object.entries(hooks)) {
    const matchers = Array.isArray(list) ? list.flatMap(readMatcher) : []
    if (matchers.length > 0) events.set(event, matchers)
  }
  return events
}

/** Whether a matcher speaks of a name: nothing and `*` of all, else a pattern for the whole name. */
export function hookMatches(matcher: string | undefined, name: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || name === undefined) return true
  if (matcher.length > LONGEST_MATCHER) return false
  try {
    return new RegExp(`^(?:${matcher})$`).test(name)
  } catch {
    return matcher === name
  }
}

function readMatcher(value: JsonValue): HookMatcher[] {
  const entry = asObject(value)
  const callbackIds = asTexts(entry?.['hookCallbackIds']) ?? []
  if (entry === undefined || callbackIds.length === 0) return []
  const matcher = asText(entry['matcher'])
  const seconds = entry['timeout']
  return [
    {
      callbackIds,
      ...(matcher !== undefined && { matcher }),
      timeoutMs: (typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_TIMEOUT_S) * 1000,
      blockOnFailure: entry['onFailure'] === 'block',
    },
  ]
}
