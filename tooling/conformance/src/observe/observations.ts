/** What is seen of one step while it runs: dispatches, agents at once, calls that settled. */
export class Observations {
  readonly dispatched: Record<string, number> = {}
  maxInFlight = 0
  #inFlight = 0
  #settled: string[] = []
  #waiting: { holds: () => boolean; resolve: () => void }[] = []

  /** A call was handed to the backend; its further tries are not dispatches. */
  dispatch(label: string): void {
    this.dispatched[label] = (this.dispatched[label] ?? 0) + 1
    this.#changed()
  }

  enter(): void {
    this.#inFlight += 1
    this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight)
  }

  leave(): void {
    this.#inFlight -= 1
  }

  /** The terminal line of a call is durable. */
  settle(label: string): void {
    this.#settled.push(label)
    this.#changed()
  }

  settledAll(labels: string[]): Promise<void> {
    return this.#until(() => labels.every(label => this.#settled.includes(label)))
  }

  settledCount(count: number): Promise<void> {
    return this.#until(() => this.#settled.length >= count)
  }

  firstDispatch(): Promise<void> {
    return this.#until(() => Object.keys(this.dispatched).length > 0)
  }

  #until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise(resolve => this.#waiting.push({ holds, resolve }))
  }

  #changed(): void {
    const ready = this.#waiting.filter(({ holds }) => holds())
    this.#waiting = this.#waiting.filter(waiting => !ready.includes(waiting))
    for (const { resolve } of ready) resolve()
  }
}
