import { workflowSwitch } from '@tutti/session'
import { UsageError } from '../usage-error.ts'
import type { Project } from './project.ts'

/** Throws when a switch turns workflows off. */
export function refuseWhenOff({ env, settings, origins }: Project): void {
  const place = origins['disableWorkflows']?.[0]?.place
  const found = workflowSwitch({ env, settings, ...(place !== undefined && { place }) })
  if (found !== undefined) {
    throw new UsageError(
      `workflows are switched off by ${found}`,
      'Remove the switch to run workflows; checking and looking at runs still works.',
      'workflows-disabled',
    )
  }
}
