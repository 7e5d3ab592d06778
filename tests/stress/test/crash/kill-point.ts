import type { SeededNumbers } from '../stage/seeded-numbers.ts'

/** A step of a process's work with the files of a run; `count`: at which of them. */
export interface FileStep {
  file: 'journal' | 'record' | 'output' | 'result' | 'lock' | 'script'
  step: 'write' | 'sync' | 'datasync' | 'truncate' | 'rename' | 'link' | 'unlink'
  moment: 'before' | 'amid' | 'after'
  count: number
}

/** When a process is killed: after a time, when there are so many results, or by itself at a step. */
export type KillPoint = { afterMs: number } | { results: number } | { die: FileStep }

export interface Course {
  /** Calls of the whole run. */
  calls: number
  /** How long an uninterrupted run takes. */
  ms: number
}

type Steps = Omit<FileStep, 'moment' | 'count'> & { most: number }

/** The steps, with about how many of each there are in a run. */
const STEPS: readonly Steps[] = [
  { file: 'journal', step: 'write', most: 20 },
  { file: 'journal', step: 'write', most: 6 },
  { file: 'journal', step: 'datasync', most: 8 },
  { file: 'record', step: 'write', most: 3 },
  { file: 'record', step: 'sync', most: 3 },
  { file: 'record', step: 'rename', most: 3 },
  { file: 'output', step: 'rename', most: 1 },
  { file: 'result', step: 'write', most: 3 },
  { file: 'result', step: 'rename', most: 3 },
  { file: 'script', step: 'rename', most: 1 },
]

/** Those of a process that takes a run over. */
const TAKING_OVER: readonly Steps[] = [
  { file: 'lock', step: 'write', most: 2 },
  { file: 'lock', step: 'link', most: 1 },
  { file: 'lock', step: 'rename', most: 1 },
  { file: 'lock', step: 'unlink', most: 3 },
  { file: 'journal', step: 'truncate', most: 1 },
]

const MOMENTS = ['before', 'amid', 'after'] as const

/** Somewhere in the life of a process. */
export function killPoint(numbers: SeededNumbers, { calls, ms }: Course, takesOver: boolean): KillPoint {
  const kind = numbers.below(4)
  if (kind === 0) return { afterMs: numbers.below(Math.ceil(ms)) }
  if (kind === 1) return { results: 1 + numbers.below(calls) }
  const steps = takesOver && numbers.below(2) === 0 ? TAKING_OVER : STEPS
  return { die: fileStep(numbers, steps) }
}

/** Somewhere where two processes want the same run. */
export function duelPoint(numbers: SeededNumbers, { ms }: Course): KillPoint {
  return numbers.below(2) === 0
    ? { die: fileStep(numbers, TAKING_OVER) }
    : { afterMs: Math.floor(ms / 4) + numbers.below(Math.ceil(ms / 2)) }
}

function fileStep(numbers: SeededNumbers, steps: readonly Steps[]): FileStep {
  const { most, ...step } = numbers.pick(steps)
  return { ...step, moment: numbers.pick(MOMENTS), count: 1 + numbers.below(most) }
}

/** For counting. */
export function nameOf(point: KillPoint): string {
  if ('afterMs' in point) return 'time'
  return 'results' in point ? 'result' : `${point.die.file} ${point.die.step}`
}
