import type { AgentEvent } from '../ports/agent-executor.ts'
import type { Clock } from '../ports/clock.ts'

/** Calls back when nothing was heard for `stallMs`; 0 = never. A running tool keeps it quiet, and so does a question. */
export class StallWatch {
  readonly #clock: Clock
  readonly #stallMs: number
  readonly #stalled: () => void
  #timer: { cancel(): void } | undefined
  #lastAt: number
  #openTools = 0
  #questions = 0
  events = 0

  constructor(clock: Clock, stallMs: number, stalled: () => void) {
    this.#clock = clock
    this.#stallMs = stallMs
    this.#stalled = stalled
    this.#lastAt = clock.now()
    if (stallMs > 0) this.#arm(stallMs)
  }

  event(event: AgentEvent): void {
    this.events++
    this.#lastAt = this.#clock.now()
    if (event.type === 'tool_start') this.#openTools++
    if (event.type === 'tool_end') this.#openTools = Math.max(0, this.#openTools - 1)
  }

  /** Waits with it: the agent has asked something, and it is for others to end the wait. */
  async during<T>(answer: Promise<T>): Promise<T> {
    this.#questions++
    try {
      return await answer
    } finally {
      this.#questions--
      this.#lastAt = this.#clock.now()
    }
  }

  stop(): void {
    this.#timer?.cancel()
  }

  #arm(ms: number): void {
    this.#timer = this.#clock.timer(ms, () => {
      const quiet = this.#clock.now() - this.#lastAt
      if (this.#openTools > 0 || this.#questions > 0) this.#arm(this.#stallMs)
      else if (quiet < this.#stallMs) this.#arm(this.#stallMs - quiet)
      else this.#stalled()
    })
  }
}
