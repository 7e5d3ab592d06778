import type { JournalLine } from '@tutti/protocol'
import type { AgentOutcome } from '@tutti/runtime'
import { createMemoryStore } from '@tutti/runtime/testing'
import type { Rec } from '../oracle/history.ts'
import type { Rendered } from '../scripts/render.ts'
import { playAttempt, type AttemptReport, type ConductedStage } from './attempt.ts'
import { usageOf } from './held-agents.ts'

/** An attempt to be told again. */
export interface Original {
  report: AttemptReport
  /** Which call took which record, as `key#n`. */
  taken: ReadonlyMap<string, Rec>
  scripts: Rendered
}

/**
 * Runs the script anew, without a journal and without interruption; its agents come to what the original was
 * handed, in the same order. A script cannot tell the two apart.
 */
export async function retell({ report, taken, scripts }: Original): Promise<AttemptReport> {
  const outcomes = outcomesOf(report.lines, taken)
  const order = report.lines.flatMap(line =>
    line.type === 'delivered' ? [line.name ?? `${line.key}#${line.n}`] : [],
  )
  return await playAttempt({
    seed: 1,
    concurrency: 10_000,
    interruption: report.limit < 100 ? { kind: 'limit', agents: report.limit } : undefined,
    conduct: followingConductor(order, outcomes),
    scripts,
    store: createMemoryStore(),
    retries: 0,
  })
}

function outcomesOf(
  lines: readonly JournalLine[],
  taken: ReadonlyMap<string, Rec>,
): Map<string, AgentOutcome> {
  const outcomes = new Map<string, AgentOutcome>()
  for (const [name, { value = null, effects, output }] of taken) {
    outcomes.set(name, { status: 'ok', value, usage: usageOf(output), effects })
  }
  for (const line of lines) {
    const { type } = line
    if (type === 'result') {
      const { result: value = null, usage, effects } = line
      outcomes.set(`${line.key}#${line.n}`, { status: 'ok', value, usage, effects })
    } else if (type === 'failed') {
      const { cause, message, usage, effects } = line
      outcomes.set(`${line.key}#${line.n}`, { status: 'failed', cause, message, usage, effects })
    }
  }
  return outcomes
}

/** One thing at a time, in the given order; afterwards all that is left. */
function followingConductor(
  order: readonly string[],
  outcomes: ReadonlyMap<string, AgentOutcome>,
): (stage: ConductedStage) => void {
  const rest = [...order]
  const unknown: AgentOutcome = { status: 'ok', value: null, usage: usageOf(0), effects: 'none' }
  return ({ agents, clock }) => {
    const next = rest[0]
    if (next === undefined) {
      for (const agent of agents.inFlight)
        agent.end(outcomes.get(`${agent.call.key}#${agent.call.n}`) ?? unknown)
      clock.fireEarliest()
      return
    }
    const agent = agents.inFlight.find(({ call }) => `${call.key}#${call.n}` === next)
    if (agent === undefined && !clock.fire(next)) {
      throw new Error(`the original was handed ${next} here, which nobody has asked for in the retold run`)
    }
    agent?.end(outcomes.get(next) ?? unknown)
    rest.shift()
  }
}
