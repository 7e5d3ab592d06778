import type { JsonValue } from '@tutti/protocol'
import { asObject } from '../json-fields.ts'

/** Whether they allow a tool for good, beyond the session. */
export function allowsForGood(updates: readonly JsonValue[] | undefined, tool: string): boolean {
  return (
    updates?.some(value => {
      const update = asObject(value)
      if (update?.['type'] !== 'addRules' || update['behavior'] !== 'allow') return false
      if (update['destination'] === undefined || update['destination'] === 'session') return false
      return (
        Array.isArray(update['rules']) && update['rules'].some(rule => asObject(rule)?.['toolName'] === tool)
      )
    }) ?? false
  )
}
