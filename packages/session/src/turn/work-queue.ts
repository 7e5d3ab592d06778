import type { UserFrame } from '@tutti/protocol'
import type { EndedWorkflow } from '../workflow/types.ts'

/** What a turn begins with. */
export type Work =
  | { kind: 'prompt'; frame: UserFrame; uuid: string }
  /** A workflow has ended: the model is to hear of it. */
  | { kind: 'notification'; workflow: EndedWorkflow }

/** Turns that wait, in the order in which they came. */
export interface WorkQueue {
  push(work: Work): void
  shift(): Work | undefined
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
