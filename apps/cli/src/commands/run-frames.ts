import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Dialect } from '@tutti/protocol'
import type { Clock, Random } from '@tutti/runtime'
import { createFrameWriter, createTaskStream, launchFrame, launchResult } from '@tutti/session'
import type { Io } from '../io.ts'
import { pausedLine } from '../render/pause-text.ts'
import { simulatedText } from '../render/simulated-text.ts'
import { summaryLine } from '../render/summary.ts'
import type { RunView } from './started-run.ts'

export interface RunFramesOptions {
  io: Io
  dialect: Dialect
  clock: Clock
  random: Random
  quiet: boolean
  /** Nobody reads the frames any more. */
  onReaderGone(): void
}

/** A reader that does not read must not hold up the end of a stopped run. */
const STOPPED_WAIT_MS = 2000

/**
 * Runs as frames on standard output: `task_started`, the launch's tool result, then what happens. Every attempt is a
 * task of its own. There is no `result` frame: that ends the turn of a session, and a single run has none.
 */
export function createRunFrames(options: RunFramesOptions): RunView {
  const { io, dialect, clock, random, quiet } = options
  const writer = createFrameWriter(io.stdout)
  writer.onClosed(options.onReaderGone)
  let startedAt = 0
  const note = (text: string): void => {
    if (!quiet && !writer.closed) io.stderr.write(`${text}\n`)
  }

  return {
    note,
    async follow({ handle }) {
      startedAt = clock.now()
      const { sessionId, toolUseId = '', sourcePath } = handle.snapshot()
      const script = dialect === 'claude-code' ? await readFile(handle.locations.script, 'utf8') : undefined
      const stream = createTaskStream({
        handle,
        dialect,
        clock,
        random,
        sessionId,
        toolUseId,
        ...(sourcePath !== undefined && { scriptFile: basename(sourcePath) }),
        ...(script !== undefined && { script }),
        write: (frame, sent) => writer.write(frame, sent),
      })
      writer.write(launchFrame({ output: launchResult(handle), toolUseId, sessionId, random }))
      await stream.done
      const end = await handle.result
      const patience = end.status === 'killed' ? [after(clock, STOPPED_WAIT_MS)] : []
      await Promise.race([writer.flush(), ...patience])
      return end
    },
    waiting(end, until) {
      note(pausedLine(end, until, clock.now()))
      return () => {}
    },
    async report(_run, end) {
      const simulated = simulatedText(end.record)
      if (quiet && simulated !== undefined && !writer.closed) io.stderr.write(`simulated: ${simulated}\n`)
      note(summaryLine(end, clock.now() - startedAt).trimEnd())
    },
    leave: () => {},
  }
}

function after(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => void clock.timer(ms, resolve))
}
