import type { UserFrame } from '@tutti/protocol'
import type { EndedWorkflow } from '../workflow/types.ts'

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
  clear(): void
}

export function createWorkQueue(): WorkQueue {
  const waiting: Work[] = []
  return {
    push: work => void waiting.push(work),
    shift: () => waiting.shift(),
    shiftEnds() {
      const first = waiting.findIndex(({ kind }) => kind !== 'notification')
      const ends = waiting.splice(0, first < 0 ? waiting.length : first)
      return ends.flatMap(work => (work.kind === 'notification' ? work.workflows : []))
    },
    get size() {
      return waiting.length
    },
    get promptIds() {
      return waiting.flatMap(work => (work.kind === 'prompt' ? [work.uuid] : []))
    },
    clear() {
      waiting.length = 0
    },
  }
}
