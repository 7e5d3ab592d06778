import { CAUSES } from '@tutti/protocol'
import {
  complain,
  count,
  either,
  having,
  isObject,
  listOf,
  mapOf,
  oneOf,
  shape,
  text,
  yes,
  anything,
} from './shape.ts'
import type { Check } from './shape.ts'

const common: Record<string, Check> = {
  afterMs: count,
  eventEveryMs: count,
  partial: text,
  outputTokens: count,
  effects: oneOf('none', 'isolated', 'yes', 'unknown'),
}
const cause = oneOf(...CAUSES)

const forms: Record<string, Check> = {
  ok: shape({ ok: anything, ...common }),
  echo: shape({ echo: yes, ...common }),
  reportModel: shape({ reportModel: yes, ...common }),
  die: shape({ die: cause, message: text, ...common }),
  hang: shape({ hang: yes, ...common }),
  invalid: shape({ invalid: anything, times: count, then: later, ...common }, ['times']),
  transient: shape({ transient: cause, times: count, then: later, ...common }, ['times', 'then']),
}

/** What the backend does at one dispatch. */
const entry: Check = (value, at) => {
  const kinds = Object.keys(forms).filter(kind => having(kind)(value))
  const form = kinds.length === 1 && kinds[0] !== undefined ? forms[kinds[0]] : undefined
  if (form) form(value, at)
  else complain(at, `exactly one of ${Object.keys(forms).join(', ')} is expected`)
}

/** Label → an entry, or a list of entries with one per dispatch; `*`: any other label. */
export const agentTable: Check = mapOf(
  either({ when: Array.isArray, check: listOf(entry) }, { when: isObject, check: entry }),
)

function later(value: unknown, at: Parameters<Check>[1]): void {
  entry(value, at)
}
