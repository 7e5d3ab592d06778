/**
 * Frames onto a stream whose reader may be slow. Order is kept and nothing is dropped, with one exception:
 * a snapshot that is still waiting gives way to a newer one of its task. Waiting snapshots are kept as
 * objects and serialised when their turn comes, so a reader that never reads costs one snapshot, not many.
 */

/** Anything that goes out as one line of JSON. */
export interface OutgoingFrame {
  type: string
  subtype?: string
  task_id?: string
}

/** What a frame writer needs of a stream. */
export interface FrameTarget {
  write(chunk: string): boolean
  once(event: 'drain', listener: () => void): unknown
  on(event: 'error' | 'close', listener: () => void): unknown
  readonly writableLength?: number
}

export interface FrameWriter {
  /** Queues a frame. `sent` hears its size in bytes when it was handed to the stream. */
  write(frame: OutgoingFrame, sent?: (bytes: number) => void): void
  /** Bytes that wait here and in the stream. Waiting snapshots do not count: they are not serialised yet. */
  readonly buffered: number
  /** Frames that wait here. */
  readonly waiting: number
  /** The reader is gone; what is written from now on goes nowhere. */
  readonly closed: boolean
  /** Resolves when the stream took everything written so far, or is closed. */
  flush(): Promise<void>
  /** Called once when the reader is gone. */
  onClosed(listener: () => void): void
}

interface Waiting {
  frame: OutgoingFrame
  /** Absent for a snapshot. */
  line?: string
  sent?: (bytes: number) => void
}

export function createFrameWriter(stream: FrameTarget): FrameWriter {
  const queue: Waiting[] = []
  const closeListeners: (() => void)[] = []
  let flushed: (() => void)[] = []
  let blocked = false
  let closed = false
  let waitingBytes = 0

  const close = (): void => {
    if (closed) return
    closed = true
    queue.length = 0
    waitingBytes = 0
    settleFlush()
    for (const listener of closeListeners) listener()
  }
  stream.on('error', close)
  stream.on('close', close)

  const settleFlush = (): void => {
    const waiters = flushed
    flushed = []
    for (const resolve of waiters) resolve()
  }

  const handOver = ({ frame, line, sent }: Waiting): void => {
    const text = line ?? toLine(frame)
    blocked = !stream.write(text)
    sent?.(Buffer.byteLength(text))
    if (blocked) stream.once('drain', pump)
  }

  const pump = (): void => {
    blocked = false
    while (!blocked && !closed) {
      const next = queue.shift()
      if (next === undefined) break
      if (next.line !== undefined) waitingBytes -= Buffer.byteLength(next.line)
      handOver(next)
    }
    if (!blocked && !closed) settleFlush()
  }

  return {
    write(frame, sent) {
      if (closed) return
      if (!blocked) {
        handOver({ frame, sent })
        return
      }
      if (isSnapshot(frame)) {
        dropOlderSnapshot(queue, frame.task_id)
        queue.push({ frame, sent })
        return
      }
      const line = toLine(frame)
      waitingBytes += Buffer.byteLength(line)
      queue.push({ frame, line, sent })
    },
    get buffered() {
      return waitingBytes + (stream.writableLength ?? 0)
    },
    get waiting() {
      return queue.length
    },
    get closed() {
      return closed
    },
    flush() {
      if (closed || !blocked) return Promise.resolve()
      return new Promise(resolve => flushed.push(resolve))
    },
    onClosed(listener) {
      if (closed) listener()
      else closeListeners.push(listener)
    },
  }
}

function isSnapshot(frame: OutgoingFrame): boolean {
  return frame.type === 'system' && frame.subtype === 'task_progress'
}

/**
 * Removes the waiting snapshot of a task unless a status change of that task was written after it: what was
 * seen before a status change must be seen before it.
 */
function dropOlderSnapshot(queue: Waiting[], taskId: string | undefined): void {
  for (let at = queue.length - 1; at >= 0; at--) {
    const frame = queue[at]?.frame
    if (frame === undefined || frame.task_id !== taskId || taskId === undefined) continue
    if (!isSnapshot(frame)) return
    queue.splice(at, 1)
    return
  }
}

function toLine(frame: OutgoingFrame): string {
  return `${JSON.stringify(frame)}\n`
}
