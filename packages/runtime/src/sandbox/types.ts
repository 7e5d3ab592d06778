import type { JsonObject, JsonValue, SerializedError } from '@tutti/protocol'

/**
 * The seam between a run and its script engine. A run hands things in one at a time (`deliver`); each is
 * followed by a pump until the script is idle, and everything the script did meanwhile comes back in order.
 */

/** Something a script did during a pump. `id` is unique within the sandbox; `path` is '' at the top. */
export type ScriptEffect =
  | {
      type: 'agent'
      id: number
      path: string
      /** False: the call came from `agent.settled`. */
      settled: boolean
      /** As given; anything that is not a string arrives as null. */
      prompt: string | null
      /** As given, through JSON; anything that is not an object arrives as null, absent as {}. */
      options: JsonValue
      /** The current `phase()` at the call. */
      phase: string | undefined
      /** `workflow.js:LINE:COLUMN` of the call. */
      place: string | undefined
    }
  | {
      type: 'workflow'
      id: number
      path: string
      ref: JsonValue
      args?: JsonValue
      place: string | undefined
    }
  | { type: 'timer'; id: number; path: string; delayMs: number }
  | { type: 'timer-cleared'; id: number; path: string }
  | { type: 'phase'; path: string; title: string }
  | { type: 'log'; path: string; message: string }
  /** An entry of parallel or pipeline threw and became null. */
  | { type: 'dropped'; path: string; kind: 'thunk' | 'stage'; index: number; error: SerializedError }

/** `data`: more properties of the error, as the script sees it. */
export interface DeliveredError extends SerializedError {
  data?: JsonObject
}

/** What enters the sandbox. */
export type Delivery =
  | { type: 'start' }
  /** The end of an agent call, a timer (value ignored) or a child that could not start. */
  | { type: 'resolve'; id: number; value: JsonValue; spent: number }
  | { type: 'reject'; id: number; error: DeliveredError; spent: number }
  /** The script of a `workflow()` call; its end is handed to the parent within the same pump. */
  | { type: 'child'; id: number; path: string; name: string; source: string; args?: JsonValue }

/** State of the script after a pump. */
export type PumpState =
  | { status: 'waiting' }
  | { status: 'returned'; value: JsonValue | undefined; resultError?: string }
  | { status: 'threw'; error: SerializedError }

export interface PumpResult {
  effects: ScriptEffect[]
  state: PumpState
}

export interface SandboxOptions {
  source: string
  args?: JsonValue
  run: { id: string; startedAt: number }
  /** Output tokens; null: none. */
  budgetTotal: number | null
  entries: number
  scriptCpuMs: number
  scriptMemoryMiB: number
}

/** One script engine in a thread of its own. */
export interface Sandbox {
  /**
   * Hands one thing in and pumps. Calls must not overlap. Rejects with ScriptTimeoutError, ScriptMemoryError
   * or SandboxError, after which the sandbox is gone.
   */
  deliver(delivery: Delivery): Promise<PumpResult>
  /**
   * Hands several things in, one after the other, each followed by its own pump, and stops after the first that
   * lets the script do something: what it asks for may have to enter before the rest. Saves the trips to the
   * thread, changes nothing else. `taken`: how many were handed in, at least one.
   */
  deliverInTurn(deliveries: Delivery[]): Promise<PumpResult & { taken: number }>
  /** Ends the thread. Idempotent. */
  terminate(): Promise<void>
}
