import type {
  AgentCall,
  AgentContext,
  AgentExecution,
  AgentExecutor,
  AgentOutcome,
  ExecutorCapabilities,
} from '../../ports/agent-executor.ts'
import type { Clock } from '../../ports/clock.ts'
import { systemClock } from '../../system/system-clock.ts'
import { EventQueue } from '../event-queue.ts'
import { play, type Scene } from './play.ts'
import { parseScriptedTable, type ScriptedBehaviour, type ScriptedTable } from './table.ts'

/** Something a scripted executor did. `settled`: the agent's outcome is known, not yet recorded. */
export type ScriptedEvent =
  | { type: 'started'; label: string; call: AgentCall }
  | { type: 'settled'; label: string; call: AgentCall; outcome: AgentOutcome }

/** An executor that acts out a table, and what it has seen. */
export interface ScriptedExecutor extends AgentExecutor {
  /** Dispatches by label; tries within a call do not count. */
  dispatched(): Record<string, number>
  /** Most agents at once. */
  maxInFlight(): number
  /** Dispatches the table has no entry for, as messages. */
  missing(): string[]
  /** Calls back for each event from now on; the result ends that. */
  observe(listener: (event: ScriptedEvent) => void): () => void
}

export interface ScriptedExecutorOptions {
  /** Default: the system's. */
  clock?: Clock
}

const CAPABILITIES: ExecutorCapabilities = {
  schema: 'loop',
  usage: 'exact',
  maxTurns: false,
  isolation: true,
  continues: true,
}

/** An executor whose agents do what `table` says. Throws WorkflowInputError for a table that is not one. */
export function createScriptedExecutor(
  table: ScriptedTable,
  options: ScriptedExecutorOptions = {},
): ScriptedExecutor {
  const clock = options.clock ?? systemClock()
  const pick = createPicker(parseScriptedTable(table, 'scripted table'))
  const counts = new Map<string, number>()
  const missing: string[] = []
  const listeners = new Set<(event: ScriptedEvent) => void>()
  let inFlight = 0
  let most = 0

  function start(call: AgentCall, context: AgentContext): AgentExecution {
    if (call.attempt === 1) counts.set(call.label, (counts.get(call.label) ?? 0) + 1)
    most = Math.max(most, ++inFlight)
    for (const listener of listeners) listener({ type: 'started', label: call.label, call })
    const events = new EventQueue()
    const cancelling = new AbortController()
    const result = perform(call, context, { events, cancelling }).then(outcome => {
      inFlight--
      events.end()
      for (const listener of listeners) listener({ type: 'settled', label: call.label, call, outcome })
      return outcome
    })
    return { events, result, cancel: reason => cancelling.abort(reason) }
  }

  async function perform(call: AgentCall, context: AgentContext, stage: Stage): Promise<AgentOutcome> {
    const unfollow = follow(context.signal, stage.cancelling)
    try {
      const found = pick(call)
      const behaviour = typeof found === 'string' ? absent(found) : found
      return await play(behaviour, sceneOf(call, context, { ...stage, clock }))
    } finally {
      unfollow()
    }
  }

  function absent(message: string): ScriptedBehaviour {
    missing.push(message)
    return { die: 'backend_unavailable', message }
  }

  return {
    backendOf: () => 'scripted',
    capabilities: () => CAPABILITIES,
    start,
    dispatched: () => Object.fromEntries(counts),
    maxInFlight: () => most,
    missing: () => [...missing],
    observe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

interface Stage {
  events: EventQueue
  cancelling: AbortController
}

/** Finds the behaviour of a try, or a message why there is none. Later tries stay with the entry of their call. */
function createPicker(table: ScriptedTable): (call: AgentCall) => ScriptedBehaviour | string {
  const used = new Map<string, number>()
  const taken = new Map<string, ScriptedBehaviour>()
  return call => {
    const name = Object.hasOwn(table, call.label) ? call.label : '*'
    const entry = Object.hasOwn(table, name) ? table[name] : undefined
    if (!entry) return `no entry in the scripted table for the label "${call.label}"`
    if (!Array.isArray(entry)) return entry
    const id = `${call.runId} ${call.index}`
    const nth = used.get(name) ?? 0
    if (call.attempt === 1) used.set(name, nth + 1)
    const behaviour = call.attempt === 1 ? entry[nth] : taken.get(id)
    if (!behaviour)
      return `no entry in the scripted table for dispatch ${nth + 1} of "${name}" (label "${call.label}")`
    taken.set(id, behaviour)
    return behaviour
  }
}

function sceneOf(call: AgentCall, context: AgentContext, stage: Stage & { clock: Clock }): Scene {
  const { clock, events, cancelling } = stage
  return {
    call,
    context,
    clock,
    events,
    signal: cancelling.signal,
    startedAt: clock.now(),
    text: '',
    outputTokens: 0,
    effects: 'unknown',
    triesBefore: 0,
  }
}

/** Aborts `target` with `source`; the result ends that. */
function follow(source: AbortSignal, target: AbortController): () => void {
  if (source.aborted) {
    target.abort(source.reason)
    return () => {}
  }
  const abort = (): void => target.abort(source.reason)
  source.addEventListener('abort', abort, { once: true })
  return () => source.removeEventListener('abort', abort)
}
