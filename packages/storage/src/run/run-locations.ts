import type { RunOwner } from '@tutti/protocol'
import type { RunLocations } from '@tutti/runtime'
import type { RunPaths } from '../layout.ts'
import type { ProcessIdentity } from '../lease/process-identity.ts'

/** What people and records may know of the paths. */
export function locationsOf({ record, output, journal, script, transcripts }: RunPaths): RunLocations {
  return { record, output, journal, script, transcripts }
}

/** The owner as a record names it. */
export function recordOwner({ host, pid, machine, started }: ProcessIdentity): RunOwner {
  return { host, pid, ...(started === undefined ? {} : { processStartedAt: `${machine}@${started}` }) }
}
