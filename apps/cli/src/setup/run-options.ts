import type { JsonValue } from '@tutti/protocol'
import type { LaunchOptions, ResumeOptions, ScriptInput } from '@tutti/runtime'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import type { Project } from './project.ts'
import { limitsOf } from './project-runtime.ts'

/** What a new run is given by the flags and, where they say nothing, by the settings. */
export function launchOptions(
  flags: ExecutionFlags,
  project: Project,
  args: JsonValue | undefined,
): LaunchOptions {
  const { settings, cwd } = project
  const model = flags.model ?? settings.model
  return { cwd, ...common(flags, project, args), ...(model !== undefined && { model }) }
}

/** What a further attempt is given; what is left out comes from the record of the run. */
export function resumeOptions(
  flags: ExecutionFlags,
  project: Project,
  given: { args: JsonValue | undefined; script: ScriptInput | undefined },
): ResumeOptions {
  return {
    ...common(flags, project, given.args),
    ...(given.script !== undefined && { script: given.script }),
    ...(flags.model !== undefined && { model: flags.model }),
  }
}

function common(flags: ExecutionFlags, { settings }: Project, args: JsonValue | undefined): LaunchOptions {
  const cache = flags.cache ?? settings.tutti?.cache
  return {
    limits: limitsOf(flags),
    ...(args !== undefined && { args }),
    ...(flags.backend !== undefined && { backend: flags.backend }),
    ...(cache !== undefined && { cache }),
  }
}
