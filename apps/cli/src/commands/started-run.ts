import type { RunRecord } from '@tutti/protocol'
import type { RunEnd, RunHandle } from '@tutti/runtime'
import type { CostOf } from '../setup/counted-cost.ts'

/** A run that has just begun, as a command tells of it. */
export interface StartedRun {
  handle: RunHandle
  /** Which backend runs it, and why. */
  backendReason: string
  /** More lines for people, told with the launch. */
  notes?: string[]
  /** The results came from another run, so what is cached was taken over. */
  reused?: boolean
}

/** How a command shows its runs: for people, or as frames. */
export interface RunView {
  /** A line that stays. */
  note(text: string): void
  /** Gives the terminal to a question until the function it gives is called; absent: nobody can be asked here. */
  hold?(): () => void
  /** Shows the run until it has ended. */
  follow(run: StartedRun): Promise<RunEnd>
  /** The attempt has paused and the next one begins at that time; gives how to stop showing it. */
  waiting(end: RunEnd, until: number): () => void
  /** Tells the end that the command reports. */
  report(run: StartedRun, end: RunEnd): Promise<void>
  /** Gives the terminal back at once. */
  leave(): void
}

/** The backend of a run that goes on with the one it had; undefined when it was chosen anew. */
export function reasonOfBefore(
  handle: RunHandle,
  { backend: given }: { backend?: string },
): string | undefined {
  const { backend } = handle.snapshot()
  return given !== undefined || backend === undefined
    ? undefined
    : `Backend: ${backend}, as the run was started.`
}

/** What a further attempt of a run spends its money on: what is given anew, else what the run had. */
export function costOfBefore(
  record: RunRecord,
  flags: { backend?: string; model?: string },
  fallback: string,
): CostOf {
  return { backend: flags.backend ?? record.backend ?? fallback, model: flags.model ?? record.model }
}
