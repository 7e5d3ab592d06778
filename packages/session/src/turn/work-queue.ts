/**
 * Messages are read as they come, however many wait: behind them there may be an interrupt. What is too much to hold
 * waits on disk.
 */
import type { UserFrame } from '@tutti/protocol'
import type { EndedWorkflow } from '../workflow/types.ts'
import type { SpilledText, SpilledTexts } from './spilled-texts.ts'

/** What a turn begins with. */
export type Work =
  | { kind: 'prompt'; frame: UserFrame; uuid: string }
  /** Workflows have ended: the model is to hear of them. At least one. */
  | { kind: 'notification'; workflows: EndedWorkflow[] }

/** Turns that wait, in the order in which they came. */
export interface WorkQueue {
  push(work: Work): void
  shift(): Work | undefined
  /** Takes all that tells of ends of workflows and waits before anything else. */
  shiftEnds(): EndedWorkflow[]
  readonly size: number
  /** Of messages that wait. */
  readonly promptIds: string[]
  /** Of messages that are held in memory, about. */
  readonly heldBytes: number
  close(): void
}

export interface WorkQueueOptions {
  spilled: SpilledTexts
  /** Default 64 MiB. */
  mostHeldBytes?: number
}

type Waiting =
  | (Work & { bytes: number })
  | { kind: 'spilled'; uuid: string; place: SpilledText; bytes: number }

const MOST_HELD_BYTES = 64 * 1024 * 1024
/** What a message costs beside its content. */
const FRAME_BYTES = 500

export function createWorkQueue({ spilled, mostHeldBytes = MOST_HELD_BYTES }: WorkQueueOptions): WorkQueue {
  const waiting: Waiting[] = []
  let heldBytes = 0

  const held = (work: Work): Waiting => {
    if (work.kind === 'notification') return { ...work, bytes: 0 }
    const bytes = FRAME_BYTES + sizeOf(work.frame)
    if (heldBytes + bytes > mostHeldBytes) {
      const place = spilled.put(JSON.stringify(work.frame))
      if (place !== undefined) return { kind: 'spilled', uuid: work.uuid, place, bytes: 0 }
    }
    return { ...work, bytes }
  }

  return {
    push(work) {
      const next = held(work)
      heldBytes += next.bytes
      waiting.push(next)
    },
    shift() {
      const next = waiting.shift()
      if (next === undefined) return undefined
      heldBytes -= next.bytes
      if (next.kind !== 'spilled') return next
      return { kind: 'prompt', uuid: next.uuid, frame: JSON.parse(spilled.take(next.place)) as UserFrame }
    },
    shiftEnds() {
      const first = waiting.findIndex(({ kind }) => kind !== 'notification')
      const ends = waiting.splice(0, first < 0 ? waiting.length : first)
      return ends.flatMap(work => (work.kind === 'notification' ? work.workflows : []))
    },
    get size() {
      return waiting.length
    },
    get promptIds() {
      return waiting.flatMap(work => (work.kind === 'notification' ? [] : [work.uuid]))
    },
    get heldBytes() {
      return heldBytes
    },
    close() {
      waiting.length = 0
      heldBytes = 0
      spilled.close()
    },
  }
}

function sizeOf({ message: { content } }: UserFrame): number {
  return typeof content === 'string' ? content.length : JSON.stringify(content).length
}
