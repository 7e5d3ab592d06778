import type { Call } from './call.ts'
import type { Dispatch, Settlement } from './dispatch.ts'

export interface SchedulerOptions {
  /** Agents at once. */
  concurrency: number
  /** Dispatches a call that got a slot; undefined when it must not run after all. */
  begin(call: Call, queuedAt: number): Dispatch | undefined
  /** Told while the slot is still held. */
  settled(call: Call, settlement: Settlement): void
  now(): number
}

interface Waiting {
  call: Call
  queuedAt: number
}

/** First come, first served slots for agents. */
export class Scheduler {
  readonly #options: SchedulerOptions
  #queue: Waiting[] = []
  #head = 0
  readonly #running = new Map<Call, Dispatch>()
  #closed = false
  #idle: (() => void)[] = []

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  get running(): ReadonlyMap<Call, Dispatch> {
    return this.#running
  }

  /** Calls that wait for a slot. */
  get queued(): Call[] {
    return this.#queue.slice(this.#head).map(waiting => waiting.call)
  }

  get busy(): boolean {
    return this.#running.size > 0 || this.#head < this.#queue.length
  }

  add(call: Call): void {
    this.#queue.push({ call, queuedAt: this.#options.now() })
    this.#fill()
  }

  /** Takes a call out of the queue. */
  remove(call: Call): boolean {
    const at = this.#queue.findIndex((waiting, i) => i >= this.#head && waiting.call === call)
    if (at === -1) return false
    this.#queue.splice(at, 1)
    return true
  }

  /** No more dispatches; what is queued stays there. */
  hold(): void {
    this.#closed = true
  }

  /** No more dispatches; gives back what was still queued. */
  close(): Call[] {
    this.#closed = true
    const left = this.queued
    this.#queue = []
    this.#head = 0
    this.#report()
    return left
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    if (!this.busy) return
    await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  #fill(): void {
    while (
      !this.#closed &&
      this.#running.size < this.#options.concurrency &&
      this.#head < this.#queue.length
    ) {
      const { call, queuedAt } = this.#queue[this.#head++] as Waiting
      if (this.#head > 1000 && this.#head * 2 > this.#queue.length) {
        this.#queue = this.#queue.slice(this.#head)
        this.#head = 0
      }
      const dispatch = this.#options.begin(call, queuedAt)
      if (dispatch === undefined) continue
      this.#running.set(call, dispatch)
      void dispatch.result.then(settlement => {
        this.#options.settled(call, settlement)
        this.#running.delete(call)
        this.#fill()
        this.#report()
      })
    }
  }

  #report(): void {
    if (this.busy) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
