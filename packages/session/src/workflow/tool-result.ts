import type { ChatToolResult } from '@tutti/agents/chat'
import { isTuttiError } from '@tutti/runtime'

/** What a tool answers when it did nothing. */
export function failedResult(message: string): ChatToolResult {
  return { content: message, failed: true }
}

/** An error as a person or a model can use it. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return isTuttiError(error) && error.hint !== undefined ? `${error.message}\n${error.hint}` : error.message
}
