import type { Clock, RunEnd, Timer } from '@tutti/runtime'
import type { OutputStream } from '../io.ts'
import type { Colors } from './colors.ts'
import { createLiveScreen } from './live-screen.ts'
import { pausedLine } from './pause-text.ts'
import type { ProgressView } from './progress-view.ts'
import { fitText } from './text-width.ts'

const TICK_MS = 1000

export interface CountdownOptions {
  stream: OutputStream
  colors: Colors
  clock: Clock
  end: RunEnd
  /** When the pause ends. */
  until: number
}

/** A pause on a terminal, counted down in place; the line goes away at its end. */
export function createCountdownView({ stream, colors, clock, end, until }: CountdownOptions): ProgressView {
  const columns = (): number => stream.columns || 80
  const screen = createLiveScreen({ write: text => void stream.write(text), columns })
  let timer: Timer | undefined
  const draw = (): void => {
    const line = fitText(`‖ ${pausedLine(end, until, clock.now())}`, columns() - 1)
    screen.draw([colors.yellow(line)])
    timer = clock.timer(TICK_MS, draw)
  }
  draw()
  return {
    onEvent: () => {},
    note: text => screen.printAbove(text),
    // No agent is at work during a pause, so nobody asks.
    hold: () => () => {},
    end() {
      timer?.cancel()
      screen.end('clear')
    },
  }
}
