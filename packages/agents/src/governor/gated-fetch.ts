import type { Clock, Random } from '@tutti/runtime'
import { isAccountSpent, retryDelayOf } from '../model/failure.ts'
import { exhaustedForMs, retryAfterOf } from '../model/rate-limit-headers.ts'
import type { Gate, GateOutcome, GateSlot } from './gate.ts'
import { withEnd } from './held-body.ts'

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
}

/** A server that asks for more patience than this is left to the caller. */
const LONGEST_WAIT_MS = 30_000
const FIRST_BACKOFF_MS = 500
const SIGN_OF_LIFE_MS = 15_000

/** A fetch that passes the gate, keeps its slot until the answer has ended, and comes again when turned away. */
export function createGatedFetch(options: GatedFetchOptions): typeof fetch {
  const { gate, clock } = options
  return async (input, init) => {
    const signal = init?.signal ?? undefined
    for (let tried = 0; ; tried++) {
      const slot = await enter(options, signal, tried > 0)
      let response: Response
      try {
        response = await fetch(input, init)
      } catch (error) {
        slot.release('other')
        if (signal?.aborted || !options.patient() || tried >= options.retries) throw error
        await pause(options, backoff(options, tried), signal)
        continue
      }
      const headers = Object.fromEntries(response.headers)
      const now = clock.now()
      const exhausted = exhaustedForMs(headers, now)
      if (exhausted !== undefined) slot.hold(exhausted)
      if (response.ok) options.answering()
      if (response.ok) return withEnd(response, complete => slot.release(complete ? 'ok' : 'other'))

      const text = await bodyOf(response, slot)
      const outcome = isAccountSpent(text) ? 'other' : outcomeOf(response.status)
      const retryAfter = retryAfterOf(headers, now) ?? retryDelayOf(text)
      const again = tried < options.retries && (retryAfter ?? 0) <= LONGEST_WAIT_MS
      const wanted = outcome !== 'other' || (response.status >= 500 && options.patient())
      if (retryAfter !== undefined && outcome !== 'other') slot.hold(retryAfter)
      slot.release(outcome)
      if (!again || !wanted) return new Response(text, { status: response.status, headers: response.headers })
      // A refused request waits in the gate, whose limit has just been lowered.
      if (outcome !== 'refused') await pause(options, retryAfter ?? backoff(options, tried), signal)
    }
  }

  async function enter(
    given: GatedFetchOptions,
    signal: AbortSignal | undefined,
    first: boolean,
  ): Promise<GateSlot> {
    const sign = everyWhile(given)
    try {
      return await gate.enter(signal, first)
    } finally {
      sign.cancel()
    }
  }
}

function outcomeOf(status: number): GateOutcome {
  if (status === 429) return 'refused'
  return status === 503 || status === 529 ? 'overloaded' : 'other'
}

async function bodyOf(response: Response, slot: GateSlot): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    slot.release('other')
    throw error
  }
}

function backoff({ random }: GatedFetchOptions, tried: number): number {
  return FIRST_BACKOFF_MS * 2 ** tried * (0.5 + random.next() / 2)
}

async function pause(options: GatedFetchOptions, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const sign = everyWhile(options)
  let release: () => void = () => {}
  await new Promise<void>(resolve => {
    const timer = options.clock.timer(ms, resolve)
    const abort = (): void => resolve()
    signal?.addEventListener('abort', abort, { once: true })
    release = () => {
      timer.cancel()
      signal?.removeEventListener('abort', abort)
    }
  })
  release()
  sign.cancel()
}

/** Signs of life until cancelled. */
function everyWhile({ clock, waiting }: GatedFetchOptions): { cancel(): void } {
  let timer = clock.timer(SIGN_OF_LIFE_MS, tick)
  function tick(): void {
    waiting()
    timer = clock.timer(SIGN_OF_LIFE_MS, tick)
  }
  return { cancel: () => timer.cancel() }
}
