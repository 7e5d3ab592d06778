import { boundError, clip, type ControlResponseFrame, type JsonObject } from '@tutti/protocol'
import type { Clock } from '@tutti/runtime'
import type { Outbox } from '../output/outbox.ts'
import type { Scrubber } from '../output/secrets.ts'

export type Request = JsonObject & { subtype: string }

/** Throws what the host is to read. Changes of state happen before the first `await`: requests take effect in order. */
export type Handler = (
  request: Request,
  turn: RequestTurn,
) => JsonObject | undefined | Promise<JsonObject | undefined>

export interface RequestTurn {
  /** Aborted when the host withdraws its request. */
  signal: AbortSignal
  /** Runs right after the answer has been written. */
  after(action: () => void): void
}

/** Answers every request of the host exactly once. */
export interface ControlDesk {
  request(requestId: string, request: Request): void
  /** A line that was no good but wants an answer. */
  refuse(requestId: string, message: string): void
  cancel(requestId: string): void
  /** Resolves when every request so far has its answer. */
  settled(): Promise<void>
  /** Answers all that are still open, and whatever comes later, with an error. */
  close(reason: string): void
}

export interface ControlDeskOptions {
  handlers: Readonly<Record<string, Handler>>
  /** For every other subtype; undefined: it is not known there either. */
  other: Handler
  outbox: Outbox
  clock: Clock
  scrub: Scrubber
}

/** Nothing that a host asks takes longer than this. */
const LONGEST_MS = 60_000

interface Open {
  controller: AbortController
  /** The same id came again while it was open: it gets the same answer, as often. */
  answers: number
  settle(response: Outcome): void
}

type Outcome = { response: JsonObject | undefined } | { error: string }

export function createControlDesk(options: ControlDeskOptions): ControlDesk {
  const { handlers, other, outbox, clock, scrub } = options
  const open = new Map<string, Open>()
  let closed: string | undefined
  let settled: (() => void)[] = []

  const send = (requestId: string, outcome: Outcome): void => {
    const response: ControlResponseFrame['response'] =
      'error' in outcome
        ? { subtype: 'error', request_id: requestId, error: boundError(scrub.message(outcome.error)) }
        : { subtype: 'success', request_id: requestId, response: outcome.response ?? {} }
    outbox.write({ type: 'control_response', response })
  }

  const begin = (requestId: string, request: Request): void => {
    const controller = new AbortController()
    const actions: (() => void)[] = []
    const timer = clock.timer(LONGEST_MS, () => entry.settle({ error: `${name} took longer than 60 s` }))
    const name = clip(request.subtype, 60)
    const entry: Open = {
      controller,
      answers: 1,
      settle(outcome) {
        if (!open.delete(requestId)) return
        timer.cancel()
        for (let n = 0; n < entry.answers; n++) send(requestId, outcome)
        if ('response' in outcome) for (const action of actions) action()
        controller.abort()
        if (open.size > 0) return
        for (const resolve of settled) resolve()
        settled = []
      },
    }
    open.set(requestId, entry)
    const fail = (error: unknown): void =>
      entry.settle({ error: error instanceof Error ? error.message : String(error) })
    try {
      const handler = Object.hasOwn(handlers, request.subtype) ? handlers[request.subtype] : other
      const answer = (handler ?? other)(request, {
        signal: controller.signal,
        after: action => actions.push(action),
      })
      if (answer instanceof Promise) answer.then(response => entry.settle({ response }), fail)
      else entry.settle({ response: answer })
    } catch (error) {
      fail(error)
    }
  }

  return {
    request(requestId, request) {
      const known = open.get(requestId)
      if (closed !== undefined) send(requestId, { error: closed })
      else if (known !== undefined) known.answers++
      else begin(requestId, request)
    },
    refuse: (requestId, message) => send(requestId, { error: message }),
    cancel(requestId) {
      open.get(requestId)?.settle({ error: 'the request was withdrawn' })
    },
    settled: () => (open.size === 0 ? Promise.resolve() : new Promise(resolve => settled.push(resolve))),
    close(reason) {
      closed = reason
      for (const entry of open.values()) entry.settle({ error: reason })
    },
  }
}
