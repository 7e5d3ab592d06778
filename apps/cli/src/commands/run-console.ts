import type { Clock, RunEnd, RunHandle } from '@tutti/runtime'
import type { ExecutionFlags } from '../command-line/invocation.ts'
import type { Io } from '../io.ts'
import { createCountdownView } from '../render/countdown-view.ts'
import { runErrorText } from '../render/error-text.ts'
import { pausedLine } from '../render/pause-text.ts'
import { createProgressView, createQuietView, type ProgressView } from '../render/progress-view.ts'
import { resultLine, resultText } from '../render/result-text.ts'
import { simulatedText } from '../render/simulated-text.ts'
import { summaryText } from '../render/summary.ts'
import { safeLine, wrapText } from '../render/text-width.ts'
import type { Terminal } from '../terminal.ts'
import type { RunEndCode } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'
import type { RunView, StartedRun } from './started-run.ts'

export interface RunConsoleOptions {
  io: Io
  terminal: Terminal
  clock: Clock
  flags: ExecutionFlags
}

/** What people see of a run: progress and end on standard error, the result on standard output. */
export function createRunConsole(options: RunConsoleOptions): RunView {
  const { io, terminal, clock, flags } = options
  const { colors } = terminal
  const quiet = flags.quiet === true
  let view: ProgressView = createQuietView(io.stderr)
  let startedAt = 0

  return {
    note(text) {
      if (!quiet) view.note(text)
    },
    ...(!quiet && { hold: () => view.hold() }),
    async follow(run) {
      const { handle } = run
      startedAt = clock.now()
      if (!quiet) {
        announceLaunch(run, options)
        view = createProgressView({ handle, stream: io.stderr, colors, clock }, terminal.live)
      }
      try {
        for await (const event of handle.events) view.onEvent(event)
      } finally {
        view.end()
      }
      return await handle.result
    },
    waiting(end, until) {
      if (quiet) return () => {}
      if (terminal.live) view = createCountdownView({ stream: io.stderr, colors, clock, end, until })
      else view.note(pausedLine(end, until, clock.now()))
      return () => view.end()
    },
    async report(run, end) {
      await writeResult(end, options)
      reportEnd(run, end, { ...options, durationMs: clock.now() - startedAt })
    },
    leave() {
      view.end()
    },
  }
}

function announceLaunch(run: StartedRun, { io, terminal }: RunConsoleOptions): void {
  const { handle, backendReason, notes = [] } = run
  const { bold, dim } = terminal.colors
  const launch = `${dim('async_launched')} run ${bold(handle.runId)} ${dim(`task ${handle.taskId}`)}`
  const width = terminal.live ? (io.stderr.columns ?? 80) - 1 : Number.POSITIVE_INFINITY
  const texts = [backendReason, ...notes].flatMap(text => wrapText(safeLine(text), width))
  const lines = texts.map(line => dim(line))
  io.stderr.write(`${launch}\n${lines.join('\n')}\n`)
}

async function writeResult(end: RunEnd, { io, flags }: RunConsoleOptions): Promise<void> {
  if (end.status !== 'completed') return
  const text = flags.json === true ? resultLine(end.value) : resultText(end.value, io.stdout.isTTY === true)
  await writeOut(io.stdout, text)
}

function reportEnd(
  { handle, reused }: StartedRun,
  end: RunEnd,
  { io, terminal, flags, durationMs }: RunConsoleOptions & { durationMs: number },
): void {
  const { colors } = terminal
  const { locations } = handle
  const command = terminal.typed(`tutti resume ${end.runId}`)
  if (flags.quiet === true) {
    const simulated = simulatedText(end.record)
    if (simulated !== undefined) io.stderr.write(`simulated: ${simulated}\n`)
  } else {
    const width = terminal.live ? io.stderr.columns || 80 : undefined
    const home = io.env['HOME']
    io.stderr.write(
      summaryText({
        end,
        locations,
        colors,
        resumeCommand: command,
        worktreesCommand: terminal.typed('tutti worktrees'),
        durationMs,
        reused,
        width,
        home,
      }),
    )
  }
  if (end.status === 'completed') return
  if (flags.json === true) terminal.error(runFailure(end, command), failureFields(handle, end))
  else if (flags.quiet === true) terminal.error(runFailure(end, command))
}

/** The end of a run that did not complete, as an error. */
function runFailure(end: RunEnd, resumeCommand: string): Error {
  const hint = `To go on: ${resumeCommand}`
  const failure = (message: string, code: RunEndCode): Error =>
    Object.assign(new Error(message), { code: end.error?.code ?? code, hint })
  if (end.status === 'paused') {
    return failure(`run ${end.runId} is paused: ${end.pausedBy ?? 'user'}`, 'run-paused')
  }
  if (end.status === 'killed') return failure(`run ${end.runId} was stopped`, 'run-stopped')
  return failure(end.error === undefined ? `run ${end.runId} failed` : runErrorText(end.error), 'run-failed')
}

function failureFields(handle: RunHandle, end: RunEnd): Record<string, unknown> {
  return {
    status: end.status === 'killed' ? 'stopped' : end.status,
    runId: end.runId,
    outputFile: handle.locations.output,
    ...(end.pausedBy !== undefined && { pausedBy: end.pausedBy }),
    ...(end.resetAt !== undefined && { resetAt: end.resetAt }),
  }
}
