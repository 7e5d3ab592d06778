import type { JsonObject } from '@tutti/protocol'
import type { ChatMessage } from '@tutti/agents/chat'

/** The transcript of a session on disk: `<root>/projects/<slug>/<sessionId>.jsonl`, one line per message. */
export interface TranscriptLog {
  /** Queues a message; lines reach the disk in order. No secret may stand in it. */
  append(message: ChatMessage, details?: TranscriptDetails): void
  /** Resolves when everything appended so far outlives the process. */
  written(): Promise<void>
  /** Resolves when everything appended so far is on disk. */
  flush(): Promise<void>
  close(): Promise<void>
}

export interface TranscriptDetails {
  uuid?: string
  /** Model, id, usage and stop reason of an answer. */
  message?: JsonObject
  isMeta?: boolean
  toolUseResult?: JsonObject
}

/** A session that goes on with what an earlier one said. */
export interface EarlierSession {
  sessionId: string
  messages: ChatMessage[]
}
