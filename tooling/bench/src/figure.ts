import type { Series } from './series.ts'

export type Unit = 'ms' | 'µs' | 'MiB' | '×' | 'calls'

/** One row of the table. */
export interface Figure {
  name: string
  unit: Unit
  value: Series
  /** Taken in the same run. */
  baseline?: Series
  /** The median may be at most this. */
  target?: number
}

/** Undefined when there is no target. */
export function meets({ value, target }: Figure): boolean | undefined {
  return target === undefined ? undefined : value.median <= target
}
