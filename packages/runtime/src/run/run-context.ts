import type { AgentExecutor, AskPermission } from '../ports/agent-executor.ts'
import type { AgentTypes } from '../ports/agent-types.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Random } from '../ports/random.ts'
import type { RunStore, RunWriter } from '../ports/run-store.ts'
import type { WorkflowSource } from '../ports/workflow-source.ts'
import type { Budget } from './budget.ts'
import type { EventFeed } from './event-feed.ts'
import type { Inbox } from './replay/inbox.ts'
import type { ReuseIndex } from './replay/reuse-index.ts'
import type { RecordIndex } from './replay/record-index.ts'
import type { AttemptFacts } from './run-record.ts'
import type { RetriedCall } from './retried-call.ts'
import type { RunState } from './run-state.ts'
import type { TreeLedger } from './tree-ledger.ts'

/** The ports of a runtime, defaults filled in. */
export interface RuntimePorts {
  executor: AgentExecutor
  store: RunStore
  workflows: WorkflowSource
  agentTypes: AgentTypes
  clock: Clock
  random: Random
  logger: Logger
  permission: AskPermission | undefined
  timeoutMs: number | undefined
  stallMs: number
  retries: number | undefined
}

/** What the parts of one attempt share. */
export interface RunContext {
  ports: RuntimePorts
  facts: AttemptFacts
  writer: RunWriter
  feed: EventFeed
  state: RunState
  inbox: Inbox
  records: RecordIndex
  budget: Budget
  /** Results of another run that may be taken over. */
  reuse: ReuseIndex | undefined
  trees: TreeLedger
  /** The call that is dispatched again although it may have a record. */
  again: RetriedCall | undefined
}
