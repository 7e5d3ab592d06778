import type { AgentRow } from '@tutti/protocol'
import type { RunEvent } from './types.ts'

/** Where a run's events come out. Unread changes of one row are one event: memory stays bounded by the rows. */
export interface EventFeed {
  emit(event: RunEvent): void
  /** A row appeared or changed; it is copied when a reader gets to it. */
  emitRow(row: AgentRow): void
  /** No more events; readers end after what they have not read yet. */
  end(): void
  /** Each reader starts with what `catchUp` gives. */
  read(): AsyncIterable<RunEvent>
}

/** `catchUp` tells a reader that comes late what happened so far. */
export function createEventFeed(catchUp: () => RunEvent[]): EventFeed {
  const readers = new Set<Reader>()
  let ended = false
  return {
    emit(event) {
      for (const reader of readers) reader.push(event)
    },
    emitRow(row) {
      for (const reader of readers) reader.pushRow(row)
    },
    end() {
      ended = true
      for (const reader of readers) reader.finish()
    },
    read: () => ({
      [Symbol.asyncIterator]() {
        const reader = new Reader(() => readers.delete(reader))
        for (const event of catchUp()) reader.push(event)
        if (ended) reader.finish()
        else readers.add(reader)
        return reader
      },
    }),
  }
}

type Queued = RunEvent | AgentRow

class Reader implements AsyncIterator<RunEvent> {
  readonly #queue: Queued[] = []
  readonly #unreadRows = new Set<AgentRow>()
  readonly #leave: () => void
  #next = 0
  #finished = false
  #wake: (() => void) | undefined

  constructor(leave: () => void) {
    this.#leave = leave
  }

  push(event: RunEvent): void {
    this.#queue.push(event)
    this.#wake?.()
  }

  pushRow(row: AgentRow): void {
    if (this.#unreadRows.has(row)) return
    this.#unreadRows.add(row)
    this.#queue.push(row)
    this.#wake?.()
  }

  finish(): void {
    this.#finished = true
    this.#wake?.()
  }

  async next(): Promise<IteratorResult<RunEvent>> {
    while (this.#next >= this.#queue.length) {
      if (this.#finished) return { done: true, value: undefined }
      await new Promise<void>(resolve => (this.#wake = resolve))
    }
    const queued = this.#queue[this.#next++] as Queued
    if (this.#next > 1000 && this.#next * 2 > this.#queue.length) {
      this.#queue.splice(0, this.#next)
      this.#next = 0
    }
    if (queued.type !== 'workflow_agent') return { done: false, value: queued }
    this.#unreadRows.delete(queued)
    return { done: false, value: { type: 'agent', row: { ...queued } } }
  }

  return(): Promise<IteratorResult<RunEvent>> {
    this.#leave()
    this.#finished = true
    return Promise.resolve({ done: true, value: undefined })
  }
}
