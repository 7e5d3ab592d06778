import type { Step } from '../case/types.ts'
import type { StepOutcome } from './outcome.ts'
import type { Workspace } from './workspace.ts'

/** Does the steps of one case, one after the other. */
export interface CaseRunner {
  run(step: Step): Promise<StepOutcome>
  /** Ends everything that a step left running. */
  end(): Promise<void>
}

/** What a runner needs to know of its case. */
export interface CaseSetting {
  workspace: Workspace
  /** The files as they are now. */
  files: Record<string, string>
  /** Environment of the processes. */
  env: Record<string, string>
}
