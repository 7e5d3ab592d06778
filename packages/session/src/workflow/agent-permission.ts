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

/** Asks the host about tools that agents want to use; undefined when nobody is there. */
export function createAgentPermission(options: AgentPermissionOptions): AskPermission | undefined {
  const { host } = options
  if (host.agentPermission === undefined) return undefined
  return async ({ tool, input, why }, asker) => {
    const { runId, index, label } = asker
    const task = options.byRun(runId)
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
