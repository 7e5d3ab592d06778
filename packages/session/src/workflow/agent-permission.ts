import type { AskPermission, Clock, PermissionAnswer, PermissionAsker } from '@tutti/runtime'
import type { RunningTask } from './session-runs.ts'
import type { AgentPermissionQuestion, DeskHost } from './types.ts'

export interface AgentPermissionOptions {
  host: DeskHost
  clock: Clock
  /** How long a question waits for its answer. */
  askMs: number
  byRun(runId: string): RunningTask | undefined
}

/** Asks the host about tools that agents want to use. The host may come and leave between two questions. */
export function createAgentPermission(options: AgentPermissionOptions): AskPermission {
  const { host, byRun } = options
  return async ({ tool, input, why }, asker) => {
    const { runId, index, label } = asker
    if (host.agentPermission === undefined) {
      return {
        allowed: false,
        source: 'nobody',
        reason: `${why ?? 'no rule allows it'}; nobody is there to ask`,
      }
    }
    const task = byRun(runId)
    return ask(options, asker, {
      runId,
      ...(task !== undefined && { taskId: task.handle.taskId, workflowToolUseId: task.toolUseId }),
      agent: { index, label },
      toolName: tool,
      input,
      ...(why !== undefined && { reason: why }),
    })
  }
}

/** The host's answer, or a denial when the time is over or the agent no longer waits. */
async function ask(
  { host, clock, askMs }: AgentPermissionOptions,
  asker: PermissionAsker,
  question: Omit<AgentPermissionQuestion, 'signal'>,
): Promise<PermissionAnswer> {
  const withdrawn = new AbortController()
  let deny: (answer: PermissionAnswer) => void = () => {}
  const denied = new Promise<PermissionAnswer>(resolve => (deny = resolve))
  const withdraw = (source: 'time' | 'nobody', reason: string): void => {
    deny({ allowed: false, source, reason })
    withdrawn.abort(reason)
  }
  const timer = clock.timer(askMs, () => withdraw('time', `no answer within ${askMs} ms`))
  const onEnd = (): void => withdraw('nobody', 'the agent was ended while it was asked')
  asker.signal?.addEventListener('abort', onEnd, { once: true })
  if (asker.signal?.aborted === true) onEnd()
  try {
    const answer = host.agentPermission?.({ ...question, signal: withdrawn.signal })
    return await Promise.race([answer ?? denied, denied])
  } finally {
    timer.cancel()
    asker.signal?.removeEventListener('abort', onEnd)
  }
}
