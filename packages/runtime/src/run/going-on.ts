import type { Cause } from '@tutti/protocol'
import type { AgentContinuation, AgentIsolation, AgentOutcome } from '../ports/agent-executor.ts'

/** How a try goes on where an earlier one of the same call ended. */
export interface GoingOn {
  continueFrom: AgentContinuation
  /** The worktree it worked in. */
  isolation?: AgentIsolation
}

/** What is known of the try that ended. */
export type EndedTry = Pick<AgentOutcome, 'sessionId' | 'worktree'> & { cause: Cause; message: string }

/**
 * How the conversation of a try goes on; a text is why it cannot. An agent with a worktree of its own goes on in
 * it, or not at all: elsewhere it would not find its work.
 */
export function goOnFrom(
  { sessionId, worktree, cause, message }: EndedTry,
  { isolated, required }: { isolated: boolean; required: boolean },
): GoingOn | string {
  if (sessionId === undefined) return 'it left no session id'
  if (isolated && worktree === undefined) return 'its worktree is gone, because it had changed nothing there'
  return {
    continueFrom: { sessionId, cause, message: messageFor(cause, message), required },
    ...(worktree && isolated && { isolation: { from: { path: worktree.path, base: worktree.base } } }),
  }
}

function messageFor(cause: Cause, message: string): string {
  return `You were interrupted before you had finished (${cause}: ${message}). Go on with your task from where you are: what you have done so far still holds. Then hand over your result as you were told.`
}
