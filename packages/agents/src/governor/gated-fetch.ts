import type { Clock, Random } from '@tutti/runtime'
import { isAccountSpent, retryDelayOf } from '../model/failure.ts'
import { exhaustedForMs, retryAfterOf } from '../model/rate-limit-headers.ts'
import type { Admission } from './admission.ts'
import type { Gate, GateOutcome, GateSlot, Urgency } from './gate.ts'
import { withEnd } from './held-body.ts'
import { createSignsOfLife } from './signs-of-life.ts'
import { wellFormed } from './well-formed.ts'

export interface GatedFetchOptions {
  gate: Gate
  clock: Clock
  random: Random
  /** How often a request that was turned away before it began is sent again. */
  retries: number
  /** Also sends again what failed on the way or in the server. */
  patient(): boolean
  /** An answer has begun. */
  answering(): void
  /** Called now and then while a request waits. */
  waiting(): void
  /** Where a request finds a slot that was taken for it, and leaves the one it has until its answer was taken. */
  admission?: Admission
  /** It will be sent again. */
  retrying?(retry: Retry): void
}

export interface Retry {
  /** Undefined: there was no answer. */
  status?: number
  /** From 1. */
  attempt: number
  /** What is waited at least. */
  delayMs: number
}

/** A server that asks for more patience than this is left to the caller. */
const LONGEST_WAIT_MS = 30_000
const FIRST_BACKOFF_MS = 500
const LONGEST_BODY = 64 * 1024
const REDIRECTION = new Set([301, 302, 303, 307, 308])

/** A fetch that passes the gate, keeps its slot until the answer has ended, and comes again when turned away. */
export function createGatedFetch(options: GatedFetchOptions): typeof fetch {
  const { gate, clock, admission } = options
  const signs = createSignsOfLife(clock, options.waiting)
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    const request = typeof init?.body === 'string' ? { ...init, body: wellFormed(init.body) } : init
    for (let tried = 0; ; tried++) {
      const slot = admission?.take() ?? (await enter(signal, tried > 0 ? 'turned away' : 'under way'))
      let response: Response
      try {
        response = await fetch(input, { ...request, redirect: 'manual' })
      } catch (error) {
        slot.release('other')
        if (signal?.aborted || !options.patient() || tried >= options.retries) throw error
        const delayMs = backoff(options, tried)
        options.retrying?.({ attempt: tried + 1, delayMs })
        await pause(delayMs, signal)
        continue
      }
      const headers = Object.fromEntries(response.headers)
      const now = clock.now()
      const exhausted = exhaustedForMs(headers, now)
      if (exhausted !== undefined) slot.hold(exhausted)
      if (response.ok) {
        options.answering()
        if (!admission) return withEnd(response, complete => slot.release(complete ? 'ok' : 'other'))
        admission.keep(slot)
        return response
      }

      if (REDIRECTION.has(response.status)) {
        await response.body?.cancel()
        slot.release('other')
        return new Response(redirected(headers), { status: response.status })
      }
      const text = await bodyOf(response, slot)
      const outcome = isAccountSpent(text) ? 'other' : outcomeOf(response.status)
      const retryAfter = retryAfterOf(headers, now) ?? retryDelayOf(text)
      const again = tried < options.retries && (retryAfter ?? 0) <= LONGEST_WAIT_MS
      const wanted = outcome !== 'other' || (response.status >= 500 && options.patient())
      if (retryAfter !== undefined && outcome !== 'other') slot.hold(retryAfter)
      slot.release(outcome)
      if (!again || !wanted) return new Response(text, { status: response.status, headers: response.headers })
      // A refused request waits in the gate, whose limit has just been lowered.
      const delayMs = retryAfter ?? (outcome === 'refused' ? 0 : backoff(options, tried))
      options.retrying?.({ status: response.status, attempt: tried + 1, delayMs })
      if (outcome !== 'refused') await pause(delayMs, signal)
    }
  }

  async function enter(signal: AbortSignal | undefined, urgency: Urgency): Promise<GateSlot> {
    const sign = signs()
    try {
      return await gate.enter(signal, urgency)
    } finally {
      sign.cancel()
    }
  }

  async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const sign = signs()
    await wait(clock, ms, signal)
    sign.cancel()
  }
}

function outcomeOf(status: number): GateOutcome {
  if (status === 429) return 'refused'
  return status === 503 || status === 529 ? 'overloaded' : 'other'
}

/** What is sent has a key in its headers, which is meant for the endpoint alone. */
function redirected({ location = 'nowhere' }: Record<string, string>): string {
  const message = `it redirects to ${location}, which is not followed; if that is the endpoint, name it as such`
  return JSON.stringify({ error: { message } })
}

/** As much of it as can be meant for people. */
async function bodyOf(response: Response, slot: GateSlot): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      if (text.length > LONGEST_BODY) break
    }
    return text
  } catch (error) {
    slot.release('other')
    throw error
  }
}

function backoff({ random }: GatedFetchOptions, tried: number): number {
  return FIRST_BACKOFF_MS * 2 ** tried * (0.5 + random.next() / 2)
}

async function wait(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  let release: () => void = () => {}
  await new Promise<void>(resolve => {
    const timer = clock.timer(ms, resolve)
    const abort = (): void => resolve()
    signal?.addEventListener('abort', abort, { once: true })
    release = () => {
      timer.cancel()
      signal?.removeEventListener('abort', abort)
    }
  })
  release()
}
