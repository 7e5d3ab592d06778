import type { ControlRequestFrame, JsonObject } from '@tutti/protocol'
import type { Clock, Timer } from '@tutti/runtime'
import { asObject, asText } from '../json-fields.ts'
import type { Outbox } from '../output/outbox.ts'

/** What we ask the host. Every question ends: by an answer, its time limit, its signal, or the host's leaving. */
export interface HostCalls {
  /** False from the end of its input on: then nothing is sent any more. */
  readonly present: boolean
  /** The `response` of its answer. Rejects with HostCallError. */
  ask(request: JsonObject & { subtype: string }, options?: AskOptions): Promise<JsonObject>
  /** Takes an answer; one that nobody waits for is ignored. */
  answer(requestId: string, response: JsonObject): void
  /** Fails all open questions and all later ones. */
  leave(): void
}

export interface AskOptions {
  /** Withdraws the question. */
  signal?: AbortSignal
  timeoutMs?: number
}

export type HostCallFailure = 'error' | 'gone' | 'timeout' | 'withdrawn'

export class HostCallError extends Error {
  readonly failure: HostCallFailure

  constructor(failure: HostCallFailure, message: string) {
    super(message)
    this.name = 'HostCallError'
    this.failure = failure
  }
}

export interface HostCallsOptions {
  outbox: Outbox
  clock: Clock
  /** Whether there is a host at all. */
  present: boolean
}

interface Question {
  resolve(response: JsonObject): void
  reject(error: HostCallError): void
}

export function createHostCalls({ outbox, clock, present: atFirst }: HostCallsOptions): HostCalls {
  const questions = new Map<string, Question>()
  let present = atFirst
  let count = 0

  const send = (requestId: string, request: JsonObject & { subtype: string }): void => {
    const frame = {
      type: 'control_request',
      request_id: requestId,
      request,
    } as unknown as ControlRequestFrame
    outbox.write(frame)
  }

  return {
    get present() {
      return present
    },
    ask(request, { signal, timeoutMs } = {}) {
      if (!present) return Promise.reject(gone(request.subtype))
      if (signal?.aborted) return Promise.reject(withdrawn(request.subtype))
      const requestId = `tutti_${++count}`
      return new Promise((resolve, reject) => {
        let timer: Timer | undefined
        const withdraw = (error: HostCallError): void => {
          if (!questions.has(requestId)) return
          outbox.write({ type: 'control_cancel_request', request_id: requestId })
          end()
          reject(error)
        }
        const onAbort = (): void => withdraw(withdrawn(request.subtype))
        const end = (): void => {
          questions.delete(requestId)
          timer?.cancel()
          signal?.removeEventListener('abort', onAbort)
        }
        questions.set(requestId, {
          resolve: response => (end(), resolve(response)),
          reject: error => (end(), reject(error)),
        })
        signal?.addEventListener('abort', onAbort, { once: true })
        if (timeoutMs !== undefined) {
          timer = clock.timer(timeoutMs, () => withdraw(tooLate(request.subtype, timeoutMs)))
        }
        send(requestId, request)
      })
    },
    answer(requestId, response) {
      const question = questions.get(requestId)
      if (question === undefined) return
      if (response['subtype'] === 'success') question.resolve(asObject(response['response']) ?? {})
      else question.reject(new HostCallError('error', asText(response['error']) ?? 'the host gave no reason'))
    },
    leave() {
      present = false
      for (const question of questions.values()) question.reject(gone('the question'))
    },
  }
}

function gone(what: string): HostCallError {
  return new HostCallError('gone', `${what} cannot be answered: the host has closed its input`)
}

function withdrawn(what: string): HostCallError {
  return new HostCallError('withdrawn', `${what} was withdrawn`)
}

function tooLate(what: string, ms: number): HostCallError {
  return new HostCallError('timeout', `the host did not answer ${what} within ${Math.round(ms / 1000)} s`)
}
