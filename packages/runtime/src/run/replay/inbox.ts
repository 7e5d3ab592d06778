import TinyQueue from 'tinyqueue'
import type { AgentOutcome } from '../../ports/agent-executor.ts'
import type { Delivery } from '../../sandbox/types.ts'
import type { Call } from '../call.ts'
import type { Settlement } from '../dispatch.ts'
import type { RecordedResult } from './record-index.ts'

/** Something that waits to enter the script. */
export type Entry =
  /** An answer that needs nothing but the call itself: a refusal, or the start of a child. */
  | { kind: 'immediate'; delivery: Delivery }
  | { kind: 'record'; call: Call; record: RecordedResult }
  | { kind: 'timer'; id: number; name: string; cleared?: boolean }
  | { kind: 'fresh'; call: Call; settlement: Settlement; outcome: AgentOutcome }

/** An entry that waits for its turn; with its place in the recorded order, if it has one. */
export interface Turn {
  order?: number
  entry: Entry
}

interface Recorded extends Turn {
  order: number
}

/**
 * Decides what enters the script next: refusals and child starts in the order of the calls, then records in
 * recorded order, then fresh outcomes in the order in which they became durable. Things enter one at a time,
 * live and on replay alike: that alone makes a replay see the old interleaving.
 */
export class Inbox {
  readonly #immediate: Entry[] = []
  readonly #recorded = new TinyQueue<Recorded>([], (a, b) => a.order - b.order)
  readonly #fresh: Entry[] = []
  #wake: (() => void) | undefined

  answer(delivery: Delivery): void {
    this.#immediate.push({ kind: 'immediate', delivery })
  }

  addRecorded(order: number, entry: Entry): void {
    this.#recorded.push({ order, entry })
  }

  addFresh(entry: Entry): void {
    this.#fresh.push(entry)
    this.wake()
  }

  next(): Entry | undefined {
    return this.#immediate.shift() ?? this.#recorded.pop()?.entry ?? this.#fresh.shift()
  }

  /**
   * Up to `most` entries that would enter one after the other if the script did nothing meanwhile: records, or
   * fresh outcomes when no record is pending. What is not handed in after all goes back with `putBack`.
   */
  nextInTurn(most: number): Turn[] {
    if (this.#immediate.length > 0) return []
    const turns: Turn[] = []
    while (turns.length < most) {
      const next = this.#recorded.pop()
      if (next === undefined) break
      turns.push(next)
    }
    if (turns.length > 0) return turns
    return this.#fresh.splice(0, most).map(entry => ({ entry }))
  }

  /** Of one `nextInTurn`, in its order. */
  putBack(turns: Turn[]): void {
    const fresh: Entry[] = []
    for (const { order, entry } of turns) {
      if (order === undefined) fresh.push(entry)
      else this.#recorded.push({ order, entry })
    }
    this.#fresh.unshift(...fresh)
  }

  /** Lets `changed` resolve, also when nothing came in. */
  wake(): void {
    this.#wake?.()
  }

  /** Resolves at the next arrival. */
  async changed(): Promise<void> {
    await new Promise<void>(resolve => (this.#wake = resolve))
  }
}
