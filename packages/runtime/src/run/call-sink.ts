import type { Call } from './call.ts'
import type { Pause } from './live-calls.ts'

/** Why a call takes no record: there is none for it, or there is one that it may not take. */
export type Barrier = 'no record' | 'after effects' | 'cache: never'

/** Where calls go that take no record. */
export interface CallSink {
  add(call: Call, barrier: Barrier): void
  /** Set once nothing more is handed to the script. */
  readonly pause: Pause | undefined
}
