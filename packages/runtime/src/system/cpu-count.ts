import { availableParallelism } from 'node:os'

/** Cores this process may use. */
export function cpuCount(): number {
  return availableParallelism()
}
