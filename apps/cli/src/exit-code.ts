import type { RunEnd } from '@tutti/runtime'

/** What the exit status of a command says. docs/cli.md has the table. */
export const EXIT = {
  completed: 0,
  failed: 1,
  badInput: 2,
  degraded: 3,
  paused: 4,
  hungUp: 129,
  interrupted: 130,
  quit: 131,
  terminated: 143,
} as const

/** `stopCode`: what a stop of this process exits with. */
export function exitCodeOf(end: RunEnd, stopCode: number): number {
  switch (end.status) {
    case 'completed':
      return end.degraded ? EXIT.degraded : EXIT.completed
    case 'paused':
      return EXIT.paused
    case 'killed':
      return stopCode
    default:
      return EXIT.failed
  }
}
