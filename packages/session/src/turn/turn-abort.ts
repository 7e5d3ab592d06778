/** How a running turn is made to end before its time. */
export interface TurnAbort {
  /** A turn begins; the signal is its own. */
  begin(): AbortSignal
  end(): void
  /** Ends the running turn. Without effect when none runs. */
  interrupt(reason: string): void
}

export function createTurnAbort(): TurnAbort {
  let running: AbortController | undefined
  return {
    begin() {
      running = new AbortController()
      return running.signal
    },
    end() {
      running = undefined
    },
    interrupt(reason) {
      running?.abort(new TurnInterrupted(reason))
    },
  }
}

/** Reason of an interrupted turn's signal. */
export class TurnInterrupted extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'TurnInterrupted'
  }
}
