import { createProcessGroups } from '@tutti/agents'
import { systemClock, systemRandom } from '@tutti/runtime'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import type { Io } from '../io.ts'
import type { Terminal } from '../terminal.ts'
import { openProject, type Project } from './project.ts'
import { createProjectRuntime, type ProjectRuntime } from './project-runtime.ts'
import { refuseWhenOff } from './refuse-when-off.ts'

export interface Planning extends ProjectRuntime {
  project: Project
}

/** What a command needs that only tells what a run would do. Nothing is made. */
export async function openPlanning(
  flags: ExecutionFlags,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<Planning> {
  const { dim } = terminal.colors
  const clock = io.clock ?? systemClock()
  const random = io.random ?? systemRandom()
  const project = await openProject(io, {
    clock,
    random,
    tellIgnored: true,
    onWarning: message => {
      if (flags.quiet !== true) io.stderr.write(`${dim(`warning ${message}`)}\n`)
    },
    ...(flags.settings !== undefined && { settings: flags.settings }),
    ...(flags.trustProject !== undefined && { trustProject: flags.trustProject }),
  })
  refuseWhenOff(project)
  // Nothing is started, so there is nothing to end.
  const groups = createProcessGroups()
  return { ...createProjectRuntime(project, { flags, groups, clock, random }), project }
}
