import { createHash } from 'node:crypto'

/** Numbers that depend on nothing but their seed. */
export interface Seeded {
  /** Of one name, in [0, 1). */
  fraction(name: string): number
  /** Of one name, from `low` to `high`, both included. */
  integer(name: string, low: number, high: number): number
  pick<T>(name: string, from: readonly T[]): T
}

/** `from` must not be empty in `pick`. */
export function seededBy(seed: string): Seeded {
  function fraction(name: string): number {
    return createHash('sha256').update(seed).update('\0').update(name).digest().readUInt32BE(0) / 2 ** 32
  }
  function integer(name: string, low: number, high: number): number {
    return low + Math.floor(fraction(name) * (high - low + 1))
  }
  return {
    fraction,
    integer,
    pick: (name, from) => from[integer(name, 0, from.length - 1)] as (typeof from)[number],
  }
}
