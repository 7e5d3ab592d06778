import type { RunEnd, RunHandle } from '@tutti/runtime'
import { EXIT } from '../exit-code.ts'
import type { Io, SignalName } from '../io.ts'

const CODES: Record<SignalName, number> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hungUp,
}

/** Signals of this process as stops of its run: the first stops cleanly, the second leaves at once. */
export interface StopSignals {
  /** From now on a signal stops this run. */
  attach(handle: Pick<RunHandle, 'stop'>): void
  /** Stops the run as a signal would, for another reason. */
  stop(reason: string): void
  /** What a stopped run exits with. */
  readonly exitCode: number
  [Symbol.dispose](): void
}

export interface StopSignalsOptions {
  io: Io
  /** Heard at the first signal. */
  onStopping(signal: SignalName): void
  /** Heard before the process leaves at once. */
  onLeaving(): void
}

export function listenForStop({ io, onStopping, onLeaving }: StopSignalsOptions): StopSignals {
  let run: { stop(reason?: string): Promise<RunEnd> } | undefined
  let first: SignalName | undefined

  const stop = (reason: string): void => {
    // The end is heard through the handle's result.
    run?.stop(reason).catch(() => {})
  }
  const hear = (signal: SignalName): void => {
    if (first !== undefined || run === undefined) {
      onLeaving()
      io.exit(CODES[signal])
      return
    }
    first = signal
    onStopping(signal)
    stop(signal === 'SIGINT' ? 'interrupted' : `stopped by ${signal}`)
  }
  const names: SignalName[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const removers = names.map(name => io.onSignal(name, () => hear(name)))

  return {
    attach(handle) {
      run = handle
    },
    stop,
    get exitCode() {
      return first === undefined ? EXIT.interrupted : CODES[first]
    },
    [Symbol.dispose]() {
      for (const remove of removers) remove()
    },
  }
}
