import { RunNotFoundError } from '@tutti/runtime'
import type { RunPaths } from '../layout.ts'

/** A run that is named but not all there. */
export function incomplete(runId: string, paths: RunPaths, missing: string): RunNotFoundError {
  return new RunNotFoundError(
    `Run ${runId} in ${paths.sessionDirectory} cannot be used: ${missing} is missing. Nothing was changed.`,
    { hint: 'Restore the file, or start the workflow as a new run.' },
  )
}
