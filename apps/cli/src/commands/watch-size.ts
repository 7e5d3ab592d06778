import type { Clock, RunHandle } from '@tutti/runtime'
import type { Project } from '../setup/project.ts'
import { largeRunWarning, sizeGuideline } from '../setup/run-size.ts'

export interface WatchSizeOptions {
  project: Project
  clock: Clock
  note(text: string): void
}

/** The script has asked for what it asks for at once by this time after its first agent. */
export const AFTER_MS = 300

/** Says once, soon after the first agent has started, that a run is large or that the last one of its workflow was. */
export function watchSize(handle: RunHandle, options: WatchSizeOptions): void {
  watch(handle, options).catch(() => {
    // Advice that cannot be had is no reason to disturb a run.
  })
}

async function watch(handle: RunHandle, { project, clock, note }: WatchSizeOptions): Promise<void> {
  for await (const event of handle.events) if (event.type === 'agent') break
  await new Promise<void>(resolve => void clock.timer(AFTER_MS, resolve))
  const warning = await warningOf(handle, project)
  if (warning !== undefined) note(`warning ${warning}`)
}

async function warningOf(handle: RunHandle, { store, settings }: Project): Promise<string | undefined> {
  const guideline = sizeGuideline(settings)
  const record = handle.snapshot()
  if (record.status !== 'running' || record.attempt > 1) return undefined
  const asked = largeRunWarning(record.census.total, 'the script has asked for', guideline)
  if (asked !== undefined || !Number.isFinite(guideline.agents)) return asked
  const runs = await store.list()
  const last = runs.find(
    run => run.record.workflowName === record.workflowName && run.record.status === 'completed',
  )
  if (last === undefined || handle.snapshot().status !== 'running') return undefined
  return largeRunWarning(last.record.census.total, 'the last run of this workflow took', guideline)
}
