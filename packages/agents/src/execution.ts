import type { AgentContext, AgentEvent, AgentExecution, AgentOutcome } from '@tutti/runtime'

/** What the body of an execution works with. */
export interface Stage {
  emit(event: AgentEvent): void
  /** Aborted by the context or by `cancel`. */
  signal: AbortSignal
}

/** Runs `body` as one agent: its events, its end, and one signal for both ways to stop it. */
export function createExecution(
  context: Pick<AgentContext, 'signal'>,
  body: (stage: Stage) => Promise<AgentOutcome>,
): AgentExecution {
  const cancelling = new AbortController()
  const events = new EventQueue()
  const unfollow = follow(context.signal, cancelling)
  const result = body({ emit: event => events.push(event), signal: cancelling.signal }).finally(() => {
    unfollow()
    events.end()
  })
  return { events, result, cancel: reason => cancelling.abort(reason) }
}

function follow(source: AbortSignal, target: AbortController): () => void {
  const abort = (): void => target.abort(source.reason)
  if (source.aborted) abort()
  else source.addEventListener('abort', abort, { once: true })
  return () => source.removeEventListener('abort', abort)
}

/** Keeps events until their one reader takes them. */
class EventQueue implements AsyncIterable<AgentEvent> {
  #events: AgentEvent[] = []
  #wake: (() => void) | undefined
  #ended = false

  push(event: AgentEvent): void {
    if (this.#ended) return
    this.#events.push(event)
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<AgentEvent, void, undefined> {
    for (;;) {
      const taken = this.#events
      this.#events = []
      yield* taken
      if (this.#events.length > 0) continue
      if (this.#ended) return
      await new Promise<void>(resolve => (this.#wake = resolve))
      this.#wake = undefined
    }
  }
}
