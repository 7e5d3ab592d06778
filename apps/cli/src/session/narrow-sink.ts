import type { FrameSink } from '@tutti/session'
import type { OutputStream } from '../io.ts'
import { narrate } from './narrate.ts'

/** Takes frames and writes none: the result comes at the end, and what happens until then is told in a few lines. */
export function narrowSink(stdout: OutputStream, tell: (text: string) => void): FrameSink {
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
    write(frame, sent) {
      const line = narrate(frame)
      if (line !== undefined) tell(line)
      sent?.(0)
    },
    flush: () => Promise.resolve(),
    onClosed(listener) {
      if (closed) listener()
      else listeners.push(listener)
    },
  }
}
