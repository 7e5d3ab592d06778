import { createProcessGroups } from '@tutti/agents'
import { resolveDialect } from '@tutti/protocol'
import { systemClock, systemRandom, type AskPermission } from '@tutti/runtime'
import { syntheticToolUseId } from '@tutti/session'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import type { Io } from '../io.ts'
import { offerAgent } from '../setup/offer-agent.ts'
import { withPermissionFlags } from '../setup/permission-flags.ts'
import { openProject, type Project } from '../setup/project.ts'
import { createProjectRuntime, type ProjectRuntime } from '../setup/project-runtime.ts'
import { refuseWhenOff } from '../setup/refuse-when-off.ts'
import { listenForStop } from '../setup/stop-signals.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { askAtTerminal, type AskAtTerminalOptions } from './ask-permission.ts'
import { followAttempts } from './follow-attempts.ts'
import { createPatience } from './patience.ts'
import { createRunConsole } from './run-console.ts'
import type { RunView, StartedRun } from './started-run.ts'
import { watchSize } from './watch-size.ts'

/** What starting a run may use. */
export interface RunStart extends ProjectRuntime {
  project: Project
  toolUseId: string
}

export interface ExecuteOptions {
  io: Io
  terminal: Terminal
  flags: ExecutionFlags
  /** A person may be asked which backend to use. */
  mayAsk?: boolean
  /** Launches, resumes or forks. */
  start(start: RunStart): Promise<StartedRun>
}

/** Starts a run, shows it in the way the flags ask for, and tells how it ended by the exit code. */
export async function executeRun({ io, terminal, flags, mayAsk, start }: ExecuteOptions): Promise<number> {
  const clock = io.clock ?? systemClock()
  const random = io.random ?? systemRandom()
  let view: RunView = createRunConsole({ io, terminal, clock, flags })
  using signals = listenForStop({
    io,
    onStopping: text => view.note(text),
    onLeaving: () => view.leave(),
  })
  const opened = await openProject(io, {
    clock,
    random,
    tellIgnored: true,
    onWarning: message => view.note(`warning ${message}`),
    ...(flags.settings !== undefined && { settings: flags.settings }),
    ...(flags.trustProject !== undefined && { trustProject: flags.trustProject }),
  })
  refuseWhenOff(opened)
  const allowed = withPermissionFlags(opened, flags)
  const project =
    mayAsk === true
      ? await offerAgent({ io, project: allowed, flags, note: text => view.note(text) })
      : allowed
  refuseEndlessRepeats(flags, project)
  if (flags.streamJson === true) {
    const { createRunFrames } = await import('./run-frames.ts')
    const dialect = resolveDialect(flags.dialect ?? project.settings.tutti?.dialect, project.env)
    const onReaderGone = (): void => signals.stop('nobody reads the frames any more')
    view = createRunFrames({ io, dialect, clock, random, quiet: flags.quiet === true, onReaderGone })
  }
  const groups = createProcessGroups()
  // Commands of agents have process groups of their own and would outlive us.
  const stopListening = io.onExit(() => groups.killAll())
  try {
    const permission = askerOf(view, { io, clock, colors: terminal.colors })
    const projectRuntime = createProjectRuntime(project, {
      flags,
      groups,
      clock,
      random,
      onDenied: text => view.note(text),
      ...(permission && { permission }),
    })
    const first = await start({ ...projectRuntime, project, toolUseId: syntheticToolUseId(random) })
    if (flags.streamJson !== true && flags.quiet !== true) {
      watchSize(first.handle, { project, clock, note: text => view.note(text) })
    }
    return await followAttempts(first, {
      view,
      signals,
      clock,
      patience: flags.autoResume === true ? createPatience() : undefined,
      resume: runId => {
        const cache = cacheOf(flags, project)
        return projectRuntime.runtime.resume(runId, {
          toolUseId: syntheticToolUseId(random),
          ...(cache !== undefined && { cache }),
        })
      },
    })
  } finally {
    stopListening()
  }
}

/** Who is asked about tools: the person at the terminal, if there is one and the view has room for them. */
function askerOf(
  view: RunView,
  given: Pick<AskAtTerminalOptions, 'io' | 'clock' | 'colors'>,
): AskPermission | undefined {
  const { hold } = view
  return hold && askAtTerminal({ ...given, hold, note: text => view.note(text) })
}

function cacheOf(flags: ExecutionFlags, { settings }: Project): ExecutionFlags['cache'] {
  return flags.cache ?? settings.tutti?.cache
}

/** Without the cache every attempt would begin from nothing, and reach the same limit. */
function refuseEndlessRepeats(flags: ExecutionFlags, project: Project): void {
  if (flags.autoResume === true && cacheOf(flags, project) === 'never') {
    throw new UsageError('--auto-resume needs the recorded results, and the cache is set to "never"')
  }
}
