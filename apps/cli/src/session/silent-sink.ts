import type { FrameSink } from '@tutti/session'
import type { OutputStream } from '../io.ts'

/** Takes frames and shows none: the result at the end is all that is written. */
export function silentSink(stdout: OutputStream): FrameSink {
  const listeners: (() => void)[] = []
  let closed = false
  const close = (): void => {
    if (closed) return
    closed = true
    for (const listener of listeners) listener()
  }
  stdout.on('error', close)
  stdout.on('close', close)
  return {
    write: (_frame, sent) => sent?.(0),
    flush: () => Promise.resolve(),
    onClosed(listener) {
      if (closed) listener()
      else listeners.push(listener)
    },
  }
}
