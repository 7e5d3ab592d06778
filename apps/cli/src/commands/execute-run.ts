import { createProcessGroups } from '@tutti/agents'
import { resolveDialect } from '@tutti/protocol'
import { systemClock, systemRandom, type Clock, type Random, type Runtime } from '@tutti/runtime'
import { syntheticToolUseId } from '@tutti/session'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { offerAgent } from '../setup/offer-agent.ts'
import { openProject, type Project } from '../setup/project.ts'
import { createProjectRuntime, type ProjectRuntime } from '../setup/project-runtime.ts'
import { refuseWhenOff } from '../setup/refuse-when-off.ts'
import { listenForStop, type StopSignals } from '../setup/stop-signals.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
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

/** The longest timer that is set: a computer that slept notices within this time. */
const LONGEST_TIMER_MS = 30_000

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
  const project =
    mayAsk === true ? await offerAgent({ io, project: opened, flags, note: text => view.note(text) }) : opened
  refuseEndlessRepeats(flags, project)
  const groups = createProcessGroups()
  // Commands of agents have process groups of their own and would outlive us.
  const stopListening = io.onExit(() => groups.killAll())
  try {
    const projectRuntime = createProjectRuntime(project, { flags, groups, clock, random })
    const first = await start({ ...projectRuntime, project, toolUseId: syntheticToolUseId(random) })
    if (flags.streamJson === true) {
      const { createRunFrames } = await import('./run-frames.ts')
      const dialect = resolveDialect(flags.dialect ?? project.settings.tutti?.dialect, project.env)
      const onReaderGone = (): void => signals.stop('nobody reads the frames any more')
      view = createRunFrames({ io, dialect, clock, random, quiet: flags.quiet === true, onReaderGone })
    } else if (flags.quiet !== true) {
      watchSize(first.handle, { project, clock, note: text => view.note(text) })
    }
    const { runtime } = projectRuntime
    return await followToTheEnd(first, { view, signals, project, runtime, clock, random, flags })
  } finally {
    stopListening()
  }
}

interface Following {
  view: RunView
  signals: StopSignals
  project: Project
  runtime: Runtime
  clock: Clock
  random: Random
  flags: ExecutionFlags
}

/** With `--auto-resume` attempt after attempt, else the one. */
async function followToTheEnd(first: StartedRun, following: Following): Promise<number> {
  const { view, signals, project, runtime, clock, random, flags } = following
  const patience = flags.autoResume === true ? createPatience() : undefined
  const cache = cacheOf(flags, project)
  for (let run = first; ; ) {
    signals.attach(run.handle, stoppingText)
    const end = await view.follow(run)
    const until = signals.heard ? undefined : patience?.next(end, clock.now())
    if (until === undefined || !(await hasCome(until, { clock, signals, hide: view.waiting(end, until) }))) {
      await view.report(run, end)
      return exitCodeOf(end, signals.exitCode)
    }
    const handle = await runtime.resume(end.runId, {
      toolUseId: syntheticToolUseId(random),
      ...(cache !== undefined && { cache }),
    })
    // A signal may have come while the attempt was being begun.
    if (signals.heard) handle.stop('interrupted').catch(() => {})
    run = { handle, backendReason: run.backendReason }
  }
}

interface Wait {
  clock: Clock
  signals: StopSignals
  /** Called when the wait is over. */
  hide(): void
}

/** Resolves to true at that time, to false when a signal ends the wait. */
async function hasCome(until: number, { clock, signals, hide }: Wait): Promise<boolean> {
  let stopped = false
  let wake = (): void => {}
  signals.attach({
    async stop() {
      stopped = true
      wake()
    },
  })
  while (!stopped && clock.now() < until) {
    await new Promise<void>(resolve => {
      const timer = clock.timer(Math.min(until - clock.now(), LONGEST_TIMER_MS), resolve)
      wake = () => {
        timer.cancel()
        resolve()
      }
    })
  }
  hide()
  return !stopped
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

function stoppingText(signal: string): string {
  return signal === 'SIGINT' ? 'Stopping … press Ctrl-C again to leave at once.' : `Stopping on ${signal} …`
}
