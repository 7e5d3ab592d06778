import type { Clock, RunEnd, RunHandle } from '@tutti/runtime'
import type { ExecutionFlags } from '../command-line/program.ts'
import type { Io } from '../io.ts'
import { createProgressView, createQuietView, type ProgressView } from '../render/progress-view.ts'
import { resultLine, resultText } from '../render/result-text.ts'
import { summaryText } from '../render/summary.ts'
import { runErrorText } from '../render/error-text.ts'
import { safeLine, wrapText } from '../render/text-width.ts'
import type { Terminal } from '../terminal.ts'
import { writeOut } from '../write-out.ts'

/** What people see of a run: progress and end on standard error, the result on standard output. */
export interface RunConsole {
  /** A line that stays, above the progress. */
  note(text: string): void
  /** Shows the run until it has ended. `backendReason`: which backend runs it, and why. */
  follow(handle: RunHandle, backendReason: string): Promise<RunEnd>
  /** Gives the terminal back at once. */
  leave(): void
}

export interface RunConsoleOptions {
  io: Io
  terminal: Terminal
  clock: Clock
  flags: ExecutionFlags
  /** The command that goes on with a run. */
  resumeCommand(runId: string): string
}

export function createRunConsole(options: RunConsoleOptions): RunConsole {
  const { io, terminal, clock, flags } = options
  const quiet = flags.quiet === true
  let view: ProgressView = createQuietView(io.stderr)

  return {
    note(text) {
      if (!quiet) view.note(text)
    },
    async follow(handle, backendReason) {
      const startedAt = clock.now()
      if (!quiet) {
        announceLaunch(handle, backendReason, options)
        view = createProgressView(
          { handle, stream: io.stderr, colors: terminal.colors, clock },
          terminal.live,
        )
      }
      try {
        for await (const event of handle.events) view.onEvent(event)
      } finally {
        view.end()
      }
      const end = await handle.result
      await writeResult(end, options)
      reportEnd(handle, end, { ...options, durationMs: clock.now() - startedAt })
      return end
    },
    leave() {
      view.end()
    },
  }
}

function announceLaunch(handle: RunHandle, reason: string, { io, terminal }: RunConsoleOptions): void {
  const { bold, dim } = terminal.colors
  const launch = `${dim('async_launched')} run ${bold(handle.runId)} ${dim(`task ${handle.taskId}`)}`
  const width = terminal.live ? (io.stderr.columns ?? 80) - 1 : Number.POSITIVE_INFINITY
  const lines = wrapText(safeLine(reason), width).map(line => dim(line))
  io.stderr.write(`${launch}\n${lines.join('\n')}\n`)
}

async function writeResult(end: RunEnd, { io, flags }: RunConsoleOptions): Promise<void> {
  if (end.status !== 'completed') return
  const text = flags.json === true ? resultLine(end.value) : resultText(end.value, io.stdout.isTTY === true)
  await writeOut(io.stdout, text)
}

function reportEnd(
  handle: RunHandle,
  end: RunEnd,
  { io, terminal, flags, resumeCommand, durationMs }: RunConsoleOptions & { durationMs: number },
): void {
  const { colors } = terminal
  const command = resumeCommand(end.runId)
  if (flags.quiet !== true) {
    io.stderr.write(
      summaryText({ end, locations: handle.locations, colors, resumeCommand: command, durationMs }),
    )
  }
  if (end.status === 'completed') return
  if (flags.json === true) terminal.error(runFailure(end, command), failureFields(handle, end))
  else if (flags.quiet === true) terminal.error(runFailure(end, command))
}

/** The end of a run that did not complete, as an error. */
export function runFailure(end: RunEnd, resumeCommand: string): Error {
  const hint = `To go on: ${resumeCommand}`
  if (end.status === 'paused') {
    return Object.assign(new Error(`run ${end.runId} is paused: ${end.pausedBy ?? 'user'}`), {
      code: 'run-paused',
      hint,
    })
  }
  if (end.status === 'killed') {
    return Object.assign(new Error(`run ${end.runId} was stopped`), { code: 'run-stopped', hint })
  }
  const message = end.error === undefined ? `run ${end.runId} failed` : runErrorText(end.error)
  return Object.assign(new Error(message), { code: end.error?.code ?? 'run-failed', hint })
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
