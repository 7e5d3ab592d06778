import type { Clock } from '@tutti/runtime'

/** How a request ended, as far as it says something about how many are good for the server. */
export type GateOutcome =
  /** Answered to its end. */
  | 'ok'
  /** Too many requests. */
  | 'refused'
  /** The server has more to do than it can. */
  | 'overloaded'
  /** Says nothing about the load. */
  | 'other'

/** The right to have one request under way. */
export interface GateSlot {
  /** The server asks to wait, in milliseconds. */
  hold(ms: number): void
  /** Repeating it changes nothing. */
  release(outcome: GateOutcome): void
}

/**
 * Who goes first: a request that was turned away; then one of a conversation under way, which somebody waits for,
 * whose beginning an endpoint still has in its cache, and which would be lost with a stop; then a new one.
 */
export type Urgency = 'turned away' | 'under way' | 'new'

/** Lets as many requests to one account pass at a time as it turns out to bear. */
export interface Gate {
  /** Waits for a slot. Rejects when aborted. */
  enter(signal: AbortSignal | undefined, urgency?: Urgency): Promise<GateSlot>
  /** For people and tests. */
  readonly state: { limit: number; inFlight: number; waiting: number; open: boolean }
}

const START = 16
const MOST = 256
const CUT = 0.5
/** Towards what was too many before, more room is tried more slowly. */
const CAUTIOUS_STEP = 0.25
/** In between the limit only falls below what was refused. */
const CUT_EVERY_MS = 250
const LONGEST_HOLD_MS = 60_000
const OVERLOADS_TO_OPEN = 5
const OPEN_MS = 10_000

/**
 * Additive increase, multiplicative decrease. After five overloads in a row nothing passes for ten seconds,
 * then one request to see.
 */
export function createGate(clock: Clock): Gate {
  let limit = START
  /** As many were too many when it was last tried. */
  let tooMany = Infinity
  let inFlight = 0
  let heldUntil = 0
  let lastCut = -Infinity
  let cuts = 0
  let overloads = 0
  let probing = false
  let wake: { cancel(): void } | undefined
  const queues: Record<Urgency, Waiting[]> = { 'turned away': [], 'under way': [], new: [] }
  const waiting = (): number => Object.values(queues).reduce((sum, queue) => sum + queue.length, 0)

  function pass(): void {
    const now = clock.now()
    if (waiting() === 0) return
    if (now < heldUntil) {
      wake ??= clock.timer(heldUntil - now, () => {
        wake = undefined
        pass()
      })
      return
    }
    while (inFlight < (probing ? 1 : Math.floor(limit))) {
      const next = Object.values(queues)
        .find(queue => queue.length > 0)
        ?.shift()
      if (!next) return
      inFlight++
      next.enter(slot())
    }
  }

  function slot(): GateSlot {
    let open = true
    const sentAt = cuts
    return {
      hold,
      release(outcome) {
        if (!open) return
        open = false
        learn(outcome, sentAt)
        inFlight--
        pass()
      },
    }
  }

  function learn(outcome: GateOutcome, sentAt: number): void {
    if (outcome === 'ok') {
      const step = limit + 1 >= tooMany ? CAUTIOUS_STEP : 1
      limit = Math.min(MOST, limit + step / limit)
      if (limit > tooMany + 1) tooMany = Infinity
      overloads = 0
      probing = false
    } else if (outcome === 'refused') cut(sentAt)
    else if (outcome === 'overloaded') {
      cut(sentAt)
      overloads++
      if (probing || overloads >= OVERLOADS_TO_OPEN) {
        probing = true
        hold(OPEN_MS)
      }
    }
  }

  /** A request that was sent before the last cut says nothing about what came of it. */
  function cut(sentAt: number): void {
    if (sentAt < cuts) return
    cuts++
    tooMany = inFlight
    const now = clock.now()
    const halved = Math.max(1, limit * CUT)
    const again = now - lastCut < CUT_EVERY_MS
    limit = again ? Math.max(halved, Math.min(limit, inFlight - 1)) : halved
    if (!again) lastCut = now
  }

  function hold(ms: number): void {
    const until = clock.now() + Math.min(ms, LONGEST_HOLD_MS)
    if (until <= heldUntil) return
    heldUntil = until
    wake?.cancel()
    wake = undefined
    pass()
  }

  return {
    get state() {
      return { limit, inFlight, waiting: waiting(), open: probing }
    },
    enter: (signal, urgency = 'under way') =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(reasonOf(signal))
        const queue = queues[urgency]
        const abort = (): void => {
          queue.splice(queue.indexOf(place), 1)
          reject(reasonOf(signal))
        }
        const place: Waiting = {
          enter(slot) {
            signal?.removeEventListener('abort', abort)
            resolve(slot)
          },
        }
        signal?.addEventListener('abort', abort, { once: true })
        queue.push(place)
        pass()
      }),
  }
}

interface Waiting {
  enter(slot: GateSlot): void
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError')
}
