import type { RunLimits } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'

const MOST_BY_DEFAULT = 16
const FEWEST_BY_DEFAULT = 2

/** Limits of a run for which nothing was said. `cpus`: cores of the machine. */
export function defaultLimits(cpus: number): RunLimits {
  return {
    concurrency: Math.max(FEWEST_BY_DEFAULT, Math.min(MOST_BY_DEFAULT, cpus - 2)),
    agents: 1000,
    entries: 4096,
    scriptCpuMs: 30_000,
    scriptMemoryMiB: 128,
    outputTokens: null,
  }
}

/** Later ones win, field by field. Throws WorkflowInputError for a limit that makes no sense. */
export function mergeLimits(base: RunLimits, ...changes: (Partial<RunLimits> | undefined)[]): RunLimits {
  const merged: RunLimits = { ...base }
  for (const change of changes) {
    for (const [name, value] of Object.entries(change ?? {})) {
      if (value !== undefined) Object.assign(merged, { [name]: checked(name, value) })
    }
  }
  return merged
}

const BUDGETS: ReadonlySet<string> = new Set(['outputTokens', 'tokens', 'costUsd', 'wallMs'])

function checked(name: string, value: unknown): unknown {
  if (value === null && BUDGETS.has(name)) return value
  if (name === 'costUsd' && typeof value === 'number' && Number.isFinite(value) && value > 0) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value
  throw new WorkflowInputError(
    'option-invalid',
    `limit "${name}" must be a whole number of at least 1, not ${JSON.stringify(value)}`,
  )
}
