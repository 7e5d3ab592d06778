import type { AgentEvent } from '../ports/agent-executor.ts'

type Waiting = (result: IteratorResult<AgentEvent>) => void

const DONE: IteratorResult<AgentEvent> = { done: true, value: undefined }

/** Events of one agent, for one reader. */
export class EventQueue implements AsyncIterable<AgentEvent> {
  #events: AgentEvent[] = []
  #waiting: Waiting | undefined
  #ended = false

  push(event: AgentEvent): void {
    if (this.#ended) return
    if (this.#waiting) this.#hand({ done: false, value: event })
    else this.#events.push(event)
  }

  end(): void {
    this.#ended = true
    if (this.#waiting) this.#hand(DONE)
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent> {
    return {
      next: () => {
        const value = this.#events.shift()
        if (value) return Promise.resolve({ done: false, value })
        if (this.#ended) return Promise.resolve(DONE)
        return new Promise(resolve => (this.#waiting = resolve))
      },
      return: () => {
        this.#events = []
        this.end()
        return Promise.resolve(DONE)
      },
    }
  }

  #hand(result: IteratorResult<AgentEvent>): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.(result)
  }
}
