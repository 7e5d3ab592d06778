import type { Effects } from '@tutti/protocol'
import type { AgentOutcome } from '@tutti/runtime'
import { hashOf, seededNumbers } from './seeded-numbers.ts'
import { usageOf, type HeldAgent } from './held-agents.ts'

/** How agents behave in a run. */
export interface Behaviour {
  seed: number
  /** Number of the attempt. */
  turn: number
  /** Chance of a dispatch to fail, in percent; 0 in attempts that are to end well. */
  failing: number
  /** The kinds of effects that agents report. */
  effects: Effects[]
  /** Every dispatch gives another value; otherwise a prompt always gives the same. */
  fresh: boolean
}

const DEATHS = [
  'refused',
  'max_turns',
  'timeout',
  'network',
  'crashed',
  'no_final_text',
  'invalid_request',
] as const

/** Decides how dispatches end: the same for the same prompt and number of dispatch. */
export function createOutcomes(behaviour: Behaviour): (agent: HeldAgent) => AgentOutcome {
  const dispatches = new Map<string, number>()
  return ({ call }) => {
    const id = `${call.key}#${call.n}`
    const count = (dispatches.get(id) ?? 0) + 1
    dispatches.set(id, count)
    const numbers = seededNumbers(hashOf(`${behaviour.seed} ${behaviour.turn} ${id} ${count}`))
    const common = { usage: usageOf(1 + numbers.below(20)), effects: effectsOf(call.prompt, behaviour) }
    if (numbers.below(100) < behaviour.failing) {
      const cause =
        call.schema === undefined
          ? numbers.pick(DEATHS)
          : numbers.pick([...DEATHS, 'schema_rejected'] as const)
      return { status: 'failed', cause, message: `scripted: ${cause}`, ...common }
    }
    const text = behaviour.fresh ? `${call.prompt}=${behaviour.turn}.${call.n}.${count}` : `${call.prompt}=`
    return { status: 'ok', value: call.schema === undefined ? text : { text }, ...common }
  }
}

/** What an agent does to the world is a matter of its prompt. */
function effectsOf(prompt: string, { seed, effects }: Behaviour): Effects {
  return effects[hashOf(`${seed} effects ${prompt}`) % effects.length] ?? 'none'
}
