import { EXIT } from '../exit-code.ts'
import type { Io, SignalName } from '../io.ts'

const CODES: Record<SignalName, number> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
  SIGQUIT: EXIT.quit,
}

/** What a signal stops. */
export interface Stoppable {
  stop(reason?: string): Promise<unknown>
}

/** Signals of this process as stops of its run: the first stops cleanly, the second, or SIGQUIT, leaves at once. */
export interface StopSignals {
  /** From now on a signal stops this. `saying`: what is told at the first one. */
  attach(what: Stoppable, saying?: (signal: SignalName) => string): void
  /** Stops the run as a signal would, for another reason. */
  stop(reason: string): void
  /** A signal was heard. */
  readonly heard: boolean
  /** What a stopped run exits with. */
  readonly exitCode: number
  [Symbol.dispose](): void
}

export interface StopSignalsOptions {
  io: Io
  /** Tells what the first signal does. */
  onStopping(text: string): void
  /** Heard before the process leaves at once. */
  onLeaving(): void
}

export function listenForStop({ io, onStopping, onLeaving }: StopSignalsOptions): StopSignals {
  let run: Stoppable | undefined
  let textOf: ((signal: SignalName) => string) | undefined
  let first: SignalName | undefined

  const stop = (reason: string): void => {
    // The end is heard through the handle's result.
    run?.stop(reason).catch(() => {})
  }
  const hear = (signal: SignalName): void => {
    if (first !== undefined || run === undefined || signal === 'SIGQUIT') {
      onLeaving()
      io.exit(CODES[signal])
      return
    }
    first = signal
    if (textOf !== undefined) onStopping(textOf(signal))
    stop(signal === 'SIGINT' ? 'interrupted' : `stopped by ${signal}`)
  }
  const names: SignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
  const removers = names.map(name => io.onSignal(name, () => hear(name)))

  return {
    attach(what, saying) {
      run = what
      textOf = saying
    },
    stop,
    get heard() {
      return first !== undefined
    },
    get exitCode() {
      return first === undefined ? EXIT.interrupted : CODES[first]
    },
    [Symbol.dispose]() {
      for (const remove of removers) remove()
    },
  }
}
