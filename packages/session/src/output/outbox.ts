import type { FrameStamp, OutFrame, UnknownFrame } from '@tutti/protocol'
import type { Random } from '@tutti/runtime'
import type { FrameSink } from '../session-options.ts'
import { stamp } from '../stamp.ts'
import type { Note } from './notes.ts'
import type { Scrubber } from './secrets.ts'

/** Where every frame of a session passes on its way out: known secrets are taken out of it. */
export interface Outbox {
  write(frame: OutFrame | UnknownFrame, sent?: (bytes: number) => void): void
  /** A fresh `uuid` and the `session_id`. */
  stamp(): FrameStamp
  /** Resolves at once while the reader keeps up, else when it has caught up. */
  room(): Promise<void>
  flush(): Promise<void>
  /** Frames so far. */
  readonly written: number
}

export interface OutboxOptions {
  sink: FrameSink
  sessionId: string
  random: Random
  scrub: Scrubber
  note: Note
}

const MOST_BUFFERED = 16_000_000

export function createOutbox({ sink, sessionId, random, scrub, note }: OutboxOptions): Outbox {
  let written = 0
  return {
    get written() {
      return written
    },
    write(frame, sent) {
      written++
      try {
        sink.write(scrub.value(frame), sent)
      } catch (error) {
        // Only a value without a JSON form gets here: one nested too deeply.
        note(`a frame of type ${frame.type} could not be written: ${String(error)}`)
      }
    },
    stamp: () => stamp(sessionId, random),
    room: () => ((sink.buffered ?? 0) > MOST_BUFFERED ? sink.flush() : Promise.resolve()),
    flush: () => sink.flush(),
  }
}
