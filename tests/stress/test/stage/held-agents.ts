import type { AgentCall, AgentContext, AgentExecutor, AgentOutcome } from '@tutti/runtime'

/** An agent that waits for its end. */
export interface HeldAgent {
  call: AgentCall
  context: AgentContext
  /** Ends it. A second end changes nothing. */
  end(outcome: AgentOutcome): void
}

/** An executor whose agents end when they are told to, and at once when they are aborted. */
export interface HeldAgents extends AgentExecutor {
  readonly inFlight: readonly HeldAgent[]
  /** Agents started so far, tries of one call counted once. */
  readonly started: readonly AgentCall[]
  /** From now on nothing is started and nothing ends: the process is dead. */
  freeze(): void
}

/** `atOnce` gives the outcome of agents that need no time. */
export function createHeldAgents(atOnce?: (agent: HeldAgent) => AgentOutcome | undefined): HeldAgents {
  const inFlight = new Set<HeldAgent>()
  const started: AgentCall[] = []
  let frozen = false

  return {
    get inFlight() {
      return [...inFlight]
    },
    started,
    freeze: () => {
      frozen = true
      inFlight.clear()
    },
    backendOf: () => 'held',
    capabilities: () => ({ schema: 'loop', usage: 'exact', maxTurns: true, isolation: true }),
    start(call, context) {
      const result = new Promise<AgentOutcome>(resolve => {
        if (frozen) return
        if (call.attempt === 1) started.push(call)
        const agent: HeldAgent = {
          call,
          context,
          end(outcome) {
            if (inFlight.delete(agent)) resolve(outcome)
          },
        }
        inFlight.add(agent)
        context.signal.addEventListener('abort', () => agent.end(stopped()), { once: true })
        const outcome = atOnce?.(agent)
        if (outcome !== undefined) agent.end(outcome)
      })
      return { events: noEvents(), result, cancel() {} }
    },
  }
}

export function usageOf(output: number): AgentOutcome['usage'] {
  return { input: 1, output, cacheRead: 0, cacheWrite: 0, toolUses: 0, durationMs: 1 }
}

function stopped(): AgentOutcome {
  return {
    status: 'failed',
    cause: 'stopped',
    message: 'told to stop',
    usage: usageOf(0),
    effects: 'unknown',
  }
}

async function* noEvents(): AsyncGenerator<never> {}
