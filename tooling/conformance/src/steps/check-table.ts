import type { JsonObject } from '@tutti/protocol'

/** Dispatches for which the table has no entry. */
export function missingEntries(table: JsonObject, dispatched: Record<string, number>): string[] {
  return Object.entries(dispatched).flatMap(([label, times]) => {
    const entry = Object.hasOwn(table, label) ? table[label] : table['*']
    if (entry === undefined) return [`the agent \`${label}\` was dispatched and has no entry`]
    if (Array.isArray(entry) && times > entry.length && Object.hasOwn(table, label)) {
      return [`the agent \`${label}\` was dispatched ${times} times and has ${entry.length} entries`]
    }
    return []
  })
}
