import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { resolveDialect } from '@tutti/protocol'
import { systemClock, systemRandom, type RunHandle } from '@tutti/runtime'
import { syntheticToolUseId } from '@tutti/session'
import type { ExecutionFlags } from '../command-line/program.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { openProject, type Project } from '../setup/project.ts'
import { createProjectRuntime, type ProjectRuntime } from '../setup/project-runtime.ts'
import { refuseWhenOff } from '../setup/refuse-when-off.ts'
import { listenForStop } from '../setup/stop-signals.ts'
import type { Terminal } from '../terminal.ts'
import { createRunConsole } from './run-console.ts'

/** What starting a run may use. */
export interface RunStart extends ProjectRuntime {
  project: Project
  toolUseId: string
}

export interface ExecuteOptions {
  io: Io
  terminal: Terminal
  flags: ExecutionFlags
  /** Launches or resumes. */
  start(start: RunStart): Promise<{ handle: RunHandle; backendReason: string }>
}

/** Starts a run, shows it in the way the flags ask for, and tells how it ended by the exit code. */
export async function executeRun({ io, terminal, flags, start }: ExecuteOptions): Promise<number> {
  const clock = io.clock ?? systemClock()
  const random = io.random ?? systemRandom()
  const resumeCommand = (runId: string): string => `tutti resume ${runId}`
  const console = createRunConsole({ io, terminal, clock, flags, resumeCommand })
  using signals = listenForStop({
    io,
    onStopping: signal =>
      console.note(
        signal === 'SIGINT' ? 'Stopping … press Ctrl-C again to leave at once.' : `Stopping on ${signal} …`,
      ),
    onLeaving: () => console.leave(),
  })

  const project = await openProject(io, {
    clock,
    random,
    onWarning: message => console.note(`warning ${message}`),
    ...(flags.settings !== undefined && { settings: flags.settings }),
  })
  refuseWhenOff(project)
  const projectRuntime = createProjectRuntime(project, { flags, clock, random })
  const toolUseId = syntheticToolUseId(random)
  const { handle, backendReason } = await start({ ...projectRuntime, project, toolUseId })
  signals.attach(handle)
  if (flags.streamJson !== true) {
    return exitCodeOf(await console.follow(handle, backendReason), signals.exitCode)
  }

  const { followWithFrames } = await import('./run-frames.ts')
  const record = handle.snapshot()
  const dialect = resolveDialect(flags.dialect ?? project.settings.tutti?.dialect, project.env)
  const end = await followWithFrames({
    io,
    handle,
    dialect,
    clock,
    random,
    toolUseId,
    sessionId: record.sessionId,
    quiet: flags.quiet === true,
    onReaderGone: () => signals.stop('nobody reads the frames any more'),
    ...(record.sourcePath !== undefined && { scriptFile: basename(record.sourcePath) }),
    ...(dialect === 'claude-code' && { script: await readFile(handle.locations.script, 'utf8') }),
  })
  return exitCodeOf(end, signals.exitCode)
}
