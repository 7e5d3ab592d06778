import type { WorktreeReport } from '@tutti/protocol'
import type {
  AgentCall,
  AgentExecutor,
  AgentOutcome,
  ExecutorCapabilities,
} from '../../src/ports/agent-executor.ts'
import { noUsage } from '../../src/run/run-state.ts'

/** An executor whose agents end at once in the way that `outcomeOf` says, and what they were called with. */
export interface RecordingExecutor extends AgentExecutor {
  calls: AgentCall[]
}

export function recordingExecutor(
  outcomeOf: (call: AgentCall) => Partial<AgentOutcome>,
  capabilities: Partial<ExecutorCapabilities> = {},
): RecordingExecutor {
  const calls: AgentCall[] = []
  const can: ExecutorCapabilities = {
    schema: 'loop',
    usage: 'none',
    maxTurns: false,
    isolation: true,
    continues: true,
    ...capabilities,
  }
  return {
    calls,
    backendOf: () => 'recording',
    capabilities: () => can,
    start(call) {
      calls.push(call)
      const value = { status: 'ok', value: call.label, usage: noUsage(), effects: 'isolated' }
      const outcome = { ...value, ...outcomeOf(call) } as AgentOutcome
      return { events: (async function* () {})(), result: Promise.resolve(outcome), cancel: () => {} }
    },
  }
}

/** A tree that an agent left changes in. */
export function treeOf(name: string): WorktreeReport {
  return { path: `/p/.claude/worktrees/${name}`, base: 'abc', branch: `tutti/${name}`, files: ['a'] }
}

/** A failure of this cause. */
export function failing(cause: string, more: Partial<AgentOutcome> = {}): Partial<AgentOutcome> {
  return { status: 'failed', cause, message: `it was ${cause}`, ...more } as Partial<AgentOutcome>
}
