import type { RunStatus } from '@tutti/protocol'
import type { ShownAgent } from './shown-agent.ts'
import type { RunEvent } from '@tutti/runtime'

/** What the terminal shows of a run: a fold over its events. */
export interface ProgressState {
  name: string
  description: string
  startedAt: number
  /** Titles by phase index, in order. */
  phases: Map<number, string>
  agents: Map<number, ShownAgent>
  status: RunStatus
  lastLog?: string
  /** Output tokens so far, where a budget of the run counts them. */
  output?: number
}

export function createProgressState(run: {
  name: string
  description: string
  startedAt: number
}): ProgressState {
  return { ...run, phases: new Map(), agents: new Map(), status: 'running' }
}

/** True when the event changed what is shown. */
export function applyEvent(state: ProgressState, event: RunEvent): boolean {
  switch (event.type) {
    case 'phase':
      state.phases.set(event.row.index, event.row.title)
      return true
    case 'agent':
      state.agents.set(event.row.index, event.row)
      return true
    case 'log':
      state.lastLog = event.row.message
      return true
    case 'status':
      state.status = event.status
      return true
    default:
      return false
  }
}

export interface AgentCounts {
  running: number
  done: number
  cached: number
  failed: number
  /** Ended by the run's stop. */
  stopped: number
  tokens: number
}

export function countAgents(agents: Iterable<ShownAgent>): AgentCounts {
  const counts: AgentCounts = { running: 0, done: 0, cached: 0, failed: 0, stopped: 0, tokens: 0 }
  for (const row of agents) {
    counts.tokens += row.tokens ?? 0
    if (row.state === 'start') counts.running++
    else if (row.state === 'cached') counts.cached++
    else if (row.state === 'error' && row.cause === 'stopped') counts.stopped++
    else if (row.state === 'error') counts.failed++
    else counts.done++
  }
  return counts
}
