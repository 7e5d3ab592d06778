import type { AgentOutcome } from '@tutti/runtime'
import type { ConductedStage } from './attempt.ts'
import type { HeldAgent } from './held-agents.ts'
import { seededNumbers } from './seeded-numbers.ts'

/** Ends agents and lets time pass, in a random order: mostly one agent, sometimes several at once. */
export function randomConductor(
  seed: number,
  outcome: (agent: HeldAgent) => AgentOutcome,
): (stage: ConductedStage) => void {
  const numbers = seededNumbers(seed)
  return ({ agents, clock }) => {
    const { inFlight } = agents
    if (inFlight.length === 0 || numbers.below(6) === 0) {
      clock.fireEarliest()
      return
    }
    const count = numbers.pick([1, 1, 1, 1, 2, 3, 3, 30])
    for (let i = 0; i < count; i++) {
      const agent = numbers.pick(inFlight)
      agent.end(outcome(agent))
    }
  }
}
