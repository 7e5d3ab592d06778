import { TURN_MS, type FailureMessage, type OpenMessage } from './messages.ts'
import { failureError } from './failure-error.ts'
import { startThread, type Thread } from './thread.ts'
import type { Delivery, PumpResult, PumpState, Sandbox, SandboxOptions } from './types.ts'

/** A thread that is starting and does not know its script yet. */
export interface PreparedSandbox {
  /** Gives it the script; once. Rejects with SandboxError or ScriptMemoryError when there is no engine to be had. */
  open(options: SandboxOptions): Promise<Sandbox>
  /** Ends the thread unless it was opened. */
  discard(): Promise<void>
}

/** A sandbox that is ready; its script begins with the delivery `start`. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  return prepareSandbox().open(options)
}

/** Begins to start a thread, to win time while the script is still being read and checked. */
export function prepareSandbox(): PreparedSandbox {
  const thread = startThread()
  let opened = false
  return {
    open: options => {
      opened = true
      return openOn(thread, options)
    },
    discard: async () => {
      if (!opened) await thread.terminate()
    },
  }
}

async function openOn(thread: Thread, options: SandboxOptions): Promise<Sandbox> {
  const { source, args, run, budgetTotal, entries, scriptCpuMs, scriptMemoryMiB } = options
  const open: OpenMessage = { source, run, budgetTotal, entries, scriptCpuMs, scriptMemoryMiB }
  if (args !== undefined) open.args = args
  const answer = await thread.ask(`o${JSON.stringify(open)}`, { ms: OPEN_MS, late: 'unopened' })
  if (answer !== 'r') throw await end(thread, answer, options)
  let last: PumpState = { status: 'waiting' }

  return {
    deliver: async delivery => {
      if (last.status !== 'waiting') return { effects: [], state: last }
      const pumped = await thread.ask(messageOf(delivery), { ms: watchdogMs(scriptCpuMs), late: 'stuck' })
      if (!pumped.startsWith('{')) throw await end(thread, pumped, options)
      const result = JSON.parse(pumped) as PumpResult
      last = result.state
      return result
    },
    deliverInTurn: async deliveries => {
      if (last.status !== 'waiting') return { effects: [], state: last, taken: deliveries.length }
      const pumped = await thread.ask(`m${JSON.stringify(deliveries.map(messageOf))}`, {
        ms: watchdogMs(scriptCpuMs) + TURN_MS,
        late: 'stuck',
      })
      const [, taken, result] = /^t(\d+) (.*)$/s.exec(pumped) ?? []
      if (taken === undefined || result === undefined) throw await end(thread, pumped, options)
      const pump = JSON.parse(result) as PumpResult
      last = pump.state
      return { ...pump, taken: Number(taken) }
    },
    terminate: () => thread.terminate(),
  }
}

/** For starting a thread and an engine, however loaded the machine. */
const OPEN_MS = 60_000

/**
 * Wall time after which a stretch of script is ended from outside: some built-ins never let the engine count.
 * Far enough from the limit that fuel, which is the same everywhere, nearly always comes first.
 */
function watchdogMs(scriptCpuMs: number): number {
  return Math.max(3 * scriptCpuMs, scriptCpuMs + 3000)
}

function messageOf(delivery: Delivery): string {
  switch (delivery.type) {
    case 'start':
      return 's'
    case 'resolve':
      return valueMessage(delivery)
    case 'reject':
      return `e${delivery.id} ${delivery.spent} ${JSON.stringify(delivery.error)}`
    case 'child': {
      const { type: _, ...child } = delivery
      return `c${JSON.stringify(child)}`
    }
  }
}

function valueMessage(delivery: Extract<Delivery, { type: 'resolve' }>): string {
  const { id, spent, value } = delivery
  try {
    return `v${id} ${spent} ${JSON.stringify(value)}`
  } catch {
    const message = 'The result is nested too deeply to be handed to the script.'
    return messageOf({ type: 'reject', id, spent, error: { name: 'RangeError', message } })
  }
}

async function end(thread: Thread, answer: string, options: SandboxOptions): Promise<Error> {
  await thread.terminate()
  return failureError(JSON.parse(answer.slice(1)) as FailureMessage, options)
}
