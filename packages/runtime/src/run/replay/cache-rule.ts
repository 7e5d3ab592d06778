import type { Effects } from '@tutti/protocol'

/**
 * When a call may take a record: docs/resume.md, "The cache rule". Everything handed to the script is noted with
 * the attempt it stems from; a record is barred once something newer than it had effects.
 */
export interface CacheRule {
  /** Notes something handed to the script. `attempt`: when the outcome was recorded. */
  handedOver(attempt: number, effects: Effects): void
  /** Whether a record of `attempt` may still be taken in mode `auto`. */
  admits(attempt: number, effects: Effects): boolean
}

export function createCacheRule(): CacheRule {
  let newestEffect = 0
  let newestIsolated = 0
  return {
    handedOver(attempt, effects) {
      if (hasEffects(effects)) newestEffect = Math.max(newestEffect, attempt)
      else if (effects === 'isolated') newestIsolated = Math.max(newestIsolated, attempt)
    },
    admits(attempt, effects) {
      if (newestEffect > attempt) return false
      return !(hasEffects(effects) && newestIsolated > attempt)
    },
  }
}

function hasEffects(effects: Effects): boolean {
  return effects === 'yes' || effects === 'unknown'
}
