/** Messages handed to a client one by one, until it is ended. */
export class InputQueue<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = []
  #wake: (() => void) | undefined
  #ended = false

  push(...messages: T[]): void {
    this.#waiting.push(...messages)
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    for (;;) {
      const next = this.#waiting.shift()
      if (next !== undefined) yield next
      else if (this.#ended) return
      else await new Promise<void>(resolve => (this.#wake = resolve))
    }
  }
}
