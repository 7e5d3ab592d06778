import type { Clock, RunHandle } from '@tutti/runtime'
import { exitCodeOf } from '../exit-code.ts'
import type { SignalName } from '../io.ts'
import type { StopSignals } from '../setup/stop-signals.ts'
import type { Patience } from './patience.ts'
import type { RunView, StartedRun } from './started-run.ts'

export interface FollowOptions {
  view: RunView
  signals: StopSignals
  clock: Clock
  /** Absent: a run that pauses is left paused. */
  patience: Patience | undefined
  /** Begins the next attempt of a run. */
  resume(runId: string): Promise<RunHandle>
}

/** The longest timer that is set: a computer that slept notices within this time. */
const LONGEST_TIMER_MS = 30_000

/** Shows a run until it has ended for good, attempt after attempt; resolves to the exit code. */
export async function followAttempts(first: StartedRun, options: FollowOptions): Promise<number> {
  const { view, signals, clock, patience, resume } = options
  for (let run = first; ;) {
    signals.attach(run.handle, stoppingText)
    const end = await view.follow(run)
    const until = signals.heard ? undefined : patience?.next(end, clock.now())
    if (until === undefined || !(await hasCome(until, { clock, signals, hide: view.waiting(end, until) }))) {
      await view.report(run, end)
      return exitCodeOf(end, signals.exitCode)
    }
    const handle = await resume(end.runId)
    // A signal may have come while the attempt was being begun.
    if (signals.heard) handle.stop('interrupted').catch(() => {})
    run = { handle, backendReason: run.backendReason }
  }
}

interface Wait {
  clock: Clock
  signals: StopSignals
  /** Called when the wait is over. */
  hide(): void
}

/** Resolves to true at that time, to false when a signal ends the wait. */
async function hasCome(until: number, { clock, signals, hide }: Wait): Promise<boolean> {
  let stopped = false
  let wake = (): void => {}
  signals.attach({
    async stop() {
      stopped = true
      wake()
    },
  })
  while (!stopped && clock.now() < until) {
    await new Promise<void>(resolve => {
      const timer = clock.timer(Math.min(until - clock.now(), LONGEST_TIMER_MS), resolve)
      wake = () => {
        timer.cancel()
        resolve()
      }
    })
  }
  hide()
  return !stopped
}

function stoppingText(signal: SignalName): string {
  return signal === 'SIGINT' ? 'Stopping … press Ctrl-C again to leave at once.' : `Stopping on ${signal} …`
}
