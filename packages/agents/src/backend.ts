import type { BackendKind } from '@tutti/protocol'
import type { AgentCall, AgentContext, AgentExecution, ExecutorCapabilities } from '@tutti/runtime'

/** Something that runs agents. */
export interface Backend {
  start(call: AgentCall, context: AgentContext): AgentExecution
}

/** A backend that is loaded when its first agent starts. */
export interface BackendEntry {
  kind: BackendKind
  capabilities: ExecutorCapabilities
  /** `argument` is what follows the colon in `name:argument`. */
  load(argument: string | undefined): Promise<Backend>
  /** Named as `name:argument`; the argument is no part of the calls' keys. */
  takesArgument?: boolean
  /** Also runs the calls of agent types that have a backend of their own. */
  everyType?: boolean
}
