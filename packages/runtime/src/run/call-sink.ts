import type { Call } from './call.ts'
import type { Pause } from './live-calls.ts'

/** Why a call takes no record: there is none for it, there is one that it may not take, or it is to run again. */
export type Barrier = 'no record' | 'after effects' | 'cache: never' | 'retried'

/** Where calls go that take no record. */
export interface CallSink {
  add(call: Call, barrier: Barrier): void
  /** Set once nothing more is handed to the script. */
  readonly pause: Pause | undefined
}
