import type { JsonObject } from '@tutti/protocol'

/** Revisions of the Model Context Protocol that one tool over stdio is the same in. */
export const REVISIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
export const LATEST_REVISION = '2025-06-18'

/** A request, notification or response as it comes in. */
export interface McpMessage {
  jsonrpc: '2.0'
  id?: string | number
  method?: string
  params?: JsonObject
}

export interface McpReply {
  jsonrpc: '2.0'
  id: string | number | null
  result?: JsonObject
  error?: { code: number; message: string }
}
