import type { Dialect, TaskFrame } from '@tutti/protocol'
import { checkFrames, problemText } from '@tutti-internal/frame-check'
import { createSeededRandom, createVirtualClock, type VirtualClock } from '@tutti/runtime/testing'
import { createTaskStream, type TaskStreamOptions } from '../../src/task-stream.ts'
import { createFakeHandle, type FakeHandle } from './fake-handle.ts'

export interface WatchedStream {
  handle: FakeHandle
  clock: VirtualClock
  /** Every frame, found to keep the rules of the wire once `done` has resolved. */
  frames: TaskFrame[]
  /** When each frame was written. */
  times: number[]
  done: Promise<void>
  /** `subtype:status` of the frames that have one, `subtype` of the others. */
  order(): string[]
}

/** The hand-made rows of these tests say little about themselves. */
const FIELDS = new Set(['row-times', 'row-state', 'dialect'])

/** A task stream over a hand-made run; breaking an order rule throws out of `done`. */
export function watchStream(
  options: { dialect?: Dialect; handle?: FakeHandle } & Partial<TaskStreamOptions> = {},
): WatchedStream {
  const clock = createVirtualClock(1000)
  const handle = options.handle ?? createFakeHandle()
  const dialect = options.dialect ?? 'codebuddy'
  const frames: TaskFrame[] = []
  const times: number[] = []
  const stream = createTaskStream({
    sessionId: '00000000-0000-4000-8000-000000000000',
    toolUseId: 'toolu_1',
    clock,
    random: createSeededRandom(1),
    write(frame, sent) {
      frames.push(frame)
      times.push(clock.now())
      sent?.(Buffer.byteLength(JSON.stringify(frame)) + 1)
    },
    ...options,
    handle,
    dialect,
  })
  const done = stream.done.then(() => {
    const lines = frames.map(frame => JSON.stringify(frame))
    const problems = checkFrames(lines, { dialect, source: 'run' }).filter(({ rule }) => !FIELDS.has(rule))
    if (problems.length > 0) throw new Error(problemText(problems))
  })
  return { handle, clock, frames, times, done, order: () => frames.map(describeFrame) }
}

function describeFrame(frame: TaskFrame): string {
  if (frame.subtype === 'task_updated') return `task_updated:${frame.patch.status}`
  if (frame.subtype === 'task_notification') return `task_notification:${frame.status}`
  return frame.subtype
}
