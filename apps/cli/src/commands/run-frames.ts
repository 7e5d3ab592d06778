import type { Dialect } from '@tutti/protocol'
import type { Clock, Random, RunEnd, RunHandle } from '@tutti/runtime'
import { createFrameWriter, createTaskStream, launchFrame, launchResult } from '@tutti/session'
import type { Io } from '../io.ts'
import { summaryLine } from '../render/summary.ts'

export interface RunFramesOptions {
  io: Io
  handle: RunHandle
  dialect: Dialect
  clock: Clock
  random: Random
  sessionId: string
  toolUseId: string
  /** Name of the file the script was started from. */
  scriptFile?: string
  script?: string
  quiet: boolean
  /** Nobody reads the frames any more. */
  onReaderGone(): void
}

/** A reader that does not read must not hold up the end of a stopped run. */
const STOPPED_WAIT_MS = 2000

/** A run as frames on standard output: `task_started`, the launch's tool result, then what happens. */
export async function followWithFrames(options: RunFramesOptions): Promise<RunEnd> {
  const { io, handle, clock, random, sessionId, toolUseId } = options
  const writer = createFrameWriter(io.stdout)
  writer.onClosed(options.onReaderGone)
  const startedAt = clock.now()
  const stream = createTaskStream({ ...options, write: (frame, sent) => writer.write(frame, sent) })
  writer.write(launchFrame({ output: launchResult(handle), toolUseId, sessionId, random }))
  await stream.done
  const end = await handle.result
  const patience = end.status === 'killed' ? [after(clock, STOPPED_WAIT_MS)] : []
  await Promise.race([writer.flush(), ...patience])
  if (!options.quiet && !writer.closed) io.stderr.write(summaryLine(end, clock.now() - startedAt))
  return end
}

function after(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => void clock.timer(ms, resolve))
}
