import type { Clock, Random } from '@tutti/runtime'
import type { ChatAccess } from './chat-access.ts'
import type { AskPermission } from './host/ask-permission.ts'
import type { Hooks } from './host/hooks.ts'
import type { HostCalls } from './host/host-calls.ts'
import type { HostState } from './host/host-state.ts'
import type { HostMcpServers } from './host/mcp-servers.ts'
import type { Note } from './output/notes.ts'
import type { Outbox } from './output/outbox.ts'
import type { Scrubber } from './output/secrets.ts'
import type { SessionOptions } from './session-options.ts'
import type { ChatFrames } from './turn/chat-frames.ts'
import type { Spending } from './turn/spending.ts'
import type { WorkflowDesk } from './workflow/types.ts'

/** What the parts of a session share. */
export interface SessionParts {
  options: SessionOptions
  clock: Clock
  random: Random
  scrub: Scrubber
  note: Note
  outbox: Outbox
  calls: HostCalls
  host: HostState
  hooks: Hooks
  servers: HostMcpServers
  ask: AskPermission
  chat: ChatAccess
  desk: DeskAccess
  frames: ChatFrames
  spending: Spending
}

/** The one desk of a session, opened when it is first needed. */
export interface DeskAccess {
  /** Rejects when it cannot be opened; the next call tries again. */
  open(): Promise<WorkflowDesk>
  /** Undefined until it is open. */
  readonly opened: WorkflowDesk | undefined
}
