import type { Gate, GateSlot } from './gate.ts'
import type { SignsOfLife } from './signs-of-life.ts'

/**
 * A slot of the gate for one request after the other. It is waited for before the request is made, so that of the
 * many agents that wait none holds a request in memory, and is kept until its answer was taken. What has begun goes
 * before what is new.
 */
export interface Admission {
  /** Never rejects; when aborted there is no slot. */
  enter(signal: AbortSignal): Promise<void>
  /** The slot, for the request. */
  take(): GateSlot | undefined
  /** An answer has begun; its slot is held until `leave`. */
  keep(slot: GateSlot): void
  /** Gives the slot back. `complete`: the answer came to its end. */
  leave(complete: boolean): void
}

/** `begun` is called whenever the wait is over. */
export function createAdmission(gate: Gate, signs: SignsOfLife, begun: () => void = () => {}): Admission {
  let underWay = false
  let entered: GateSlot | undefined
  let kept: GateSlot | undefined
  return {
    async enter(signal) {
      const sign = signs()
      entered = await gate.enter(signal, underWay ? 'under way' : 'new').catch(() => undefined)
      underWay = true
      begun()
      sign.cancel()
    },
    take() {
      const slot = entered
      entered = undefined
      return slot
    },
    keep: slot => (kept = slot),
    leave(complete) {
      kept?.release(complete ? 'ok' : 'other')
      entered?.release('other')
      kept = entered = undefined
    },
  }
}
