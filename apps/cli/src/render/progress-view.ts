import type { Clock, RunEvent, RunHandle, Timer } from '@tutti/runtime'
import type { OutputStream } from '../io.ts'
import type { Colors } from './colors.ts'
import { createLiveScreen } from './live-screen.ts'
import { createPlainLines } from './plain-lines.ts'
import { progressLines } from './progress-lines.ts'
import { applyEvent, createProgressState } from './progress-state.ts'

const FRAME_MS = 100
const TICK_MS = 1000

/** Shows a run on a stream while it goes on. */
export interface ProgressView {
  onEvent(event: RunEvent): void
  /** A line that stays. */
  note(text: string): void
  /** Writes nothing more until the function it gives is called: somebody else has the terminal. */
  hold(): () => void
  /** The last frame stays. Idempotent. */
  end(): void
}

export interface ProgressViewOptions {
  handle: RunHandle
  stream: OutputStream
  colors: Colors
  clock: Clock
}

/** Lines in place on a terminal, else lines of a log. */
export function createProgressView(options: ProgressViewOptions, live: boolean): ProgressView {
  return live ? liveView(options) : plainView(options.stream)
}

/** Says nothing while the run goes on; notes still come through. */
export function createQuietView(stream: OutputStream): ProgressView {
  const lines = createHeldLines(stream)
  return { onEvent: () => {}, note: lines.write, hold: lines.hold, end: () => {} }
}

function plainView(stream: OutputStream): ProgressView {
  const lineOf = createPlainLines()
  const lines = createHeldLines(stream)
  return {
    onEvent(event) {
      const line = lineOf(event)
      if (line !== undefined) lines.write(line)
    },
    note: lines.write,
    hold: lines.hold,
    end: () => {},
  }
}

/** Lines for a stream; while they are held they wait. */
function createHeldLines(stream: OutputStream): { write(line: string): void; hold(): () => void } {
  let waiting: string[] | undefined
  return {
    write(line) {
      if (waiting === undefined) stream.write(`${line}\n`)
      else waiting.push(line)
    },
    hold() {
      waiting ??= []
      return () => {
        const lines = waiting ?? []
        waiting = undefined
        for (const line of lines) stream.write(`${line}\n`)
      }
    },
  }
}

function liveView({ handle, stream, colors, clock }: ProgressViewOptions): ProgressView {
  const state = createProgressState({
    name: handle.name,
    description: handle.description,
    startedAt: clock.now(),
  })
  // A terminal that does not know its size says 0.
  const columns = (): number => stream.columns || 80
  const screen = createLiveScreen({ write: text => void stream.write(text), columns })
  let timer: Timer | undefined
  let due = Number.POSITIVE_INFINITY
  let ended = false
  let held: string[] | undefined

  const counted = handle.snapshot().limits.outputTokens !== null

  const draw = (): void => {
    if (held !== undefined) return
    if (counted) state.output = handle.snapshot().usage.output
    screen.draw(progressLines(state, { columns: columns(), rows: stream.rows || 24, colors }, clock.now()))
    schedule(TICK_MS)
  }
  const schedule = (ms: number): void => {
    const at = clock.now() + ms
    if (ended || (timer !== undefined && due <= at)) return
    timer?.cancel()
    due = at
    timer = clock.timer(ms, () => {
      timer = undefined
      draw()
    })
  }
  const onResize = (): void => schedule(FRAME_MS)
  stream.on('resize', onResize)
  schedule(0)

  return {
    onEvent(event) {
      if (applyEvent(state, event)) schedule(FRAME_MS)
    },
    note(text) {
      if (held === undefined) screen.printAbove(text)
      else held.push(text)
    },
    hold() {
      held ??= []
      screen.yield()
      return () => {
        const notes = held ?? []
        held = undefined
        for (const text of notes) screen.printAbove(text)
        if (!ended) draw()
      }
    },
    end() {
      if (ended) return
      draw()
      ended = true
      timer?.cancel()
      stream.removeListener('resize', onResize)
      screen.end('keep')
    },
  }
}
