import type { ChatAssistantMessage, ChatEvent, ChatToolResult } from '@tutti/agents/chat'
import type { AssistantFrame, Cause, ContentBlock, JsonObject, UserFrame } from '@tutti/protocol'
import type { Random } from '@tutti/runtime'
import type { Outbox } from '../output/outbox.ts'
import { randomUuid } from '../stamp.ts'
import type { TranscriptLog } from '../transcript-log.ts'
import type { Scrubber } from '../output/secrets.ts'

/** Writes what is said in turns: as frames, and into the transcript. */
export interface ChatFrames {
  event(event: ChatEvent): void
  /** Our own words, or a tool use that no model made. */
  synthetic(content: ContentBlock[]): void
  toolResult(toolUseId: string, result: ChatToolResult): void
  /** A message to the model: always into the transcript, as a frame only with `show`. */
  user(content: string | ContentBlock[], details: UserDetails): void
  /** Resolves when the transcript has what was said so far, even if the process is killed. */
  kept(): Promise<void>
  /** What the last answer of the model read and wrote. */
  readonly contextTokens: number
}

export interface UserDetails {
  uuid?: string
  show?: Pick<UserFrame, 'origin' | 'isSynthetic'> & { isReplay?: boolean }
  isMeta?: boolean
}

export interface ChatFramesOptions {
  outbox: Outbox
  random: Random
  scrub: Scrubber
  log?: TranscriptLog
  /** Pieces of answers are shown. */
  partial: boolean
}

const RETRIES = 5

/** The words of the wire for the reasons of a retry. */
const RETRY_ERRORS: Partial<Record<Cause, string>> = {
  rate_limited: 'rate_limit',
  overloaded: 'server_error',
  server_error: 'server_error',
  auth: 'authentication_failed',
  billing: 'billing_error',
  invalid_request: 'invalid_request',
}

export function createChatFrames({ outbox, random, scrub, log, partial }: ChatFramesOptions): ChatFrames {
  const writeAssistant = (message: JsonObject): void => {
    const frame: AssistantFrame = { type: 'assistant', message, parent_tool_use_id: null, ...outbox.stamp() }
    outbox.write(frame)
    const { content, ...rest } = message
    log?.append(
      { role: 'assistant', content: scrub.value(content as ContentBlock[]) },
      { uuid: frame.uuid, message: scrub.value(rest) },
    )
  }

  let contextTokens = 0

  const frames: ChatFrames = {
    get contextTokens() {
      return contextTokens
    },
    kept: () => log?.written() ?? Promise.resolve(),
    event(event) {
      switch (event.type) {
        case 'assistant':
          contextTokens = Object.values(event.message.usage).reduce<number>(
            (sum, count) => sum + (typeof count === 'number' ? count : 0),
            0,
          )
          writeAssistant({ ...event.message })
          return
        case 'tool_result':
          frames.toolResult(event.toolUseId, event.result)
          return
        case 'stream':
          if (!partial) return
          outbox.write({
            type: 'stream_event',
            event: event.event,
            parent_tool_use_id: null,
            ...outbox.stamp(),
          })
          return
        case 'retry':
          outbox.write({
            type: 'system',
            subtype: 'api_retry',
            attempt: event.attempt,
            max_retries: RETRIES,
            retry_delay_ms: Math.round(event.delayMs),
            error_status: null,
            error: RETRY_ERRORS[event.cause] ?? 'unknown',
            ...outbox.stamp(),
          })
      }
    },
    synthetic(content) {
      writeAssistant({ ...syntheticMessage(randomUuid(random), content) })
    },
    toolResult(toolUseId, { content, failed, structured }) {
      const block = {
        type: 'tool_result',
        tool_use_id: toolUseId,
        content,
        ...(failed === true && { is_error: true }),
      }
      const stamp = outbox.stamp()
      outbox.write({
        type: 'user',
        message: { role: 'user', content: [block] },
        parent_tool_use_id: null,
        tool_use_result: structured ?? content,
        ...stamp,
      })
      const details = structured === undefined ? undefined : asDetails(scrub.value(structured))
      log?.append(
        { role: 'user', content: scrub.value([block]) },
        { uuid: stamp.uuid, ...(details !== undefined && { toolUseResult: details }) },
      )
    },
    user(content, { uuid, show, isMeta }) {
      const stamp = { ...outbox.stamp(), ...(uuid !== undefined && { uuid }) }
      if (show !== undefined) {
        outbox.write({
          type: 'user',
          message: { role: 'user', content },
          parent_tool_use_id: null,
          ...show,
          ...stamp,
        })
      }
      log?.append(
        { role: 'user', content: scrub.value(content) },
        { uuid: stamp.uuid, ...(isMeta === true && { isMeta }) },
      )
    },
  }
  return frames
}

/** A message that no model made. */
function syntheticMessage(uuid: string, content: ContentBlock[]): ChatAssistantMessage {
  const uses = content.some(({ type }) => type === 'tool_use')
  return {
    id: `msg_${uuid.replaceAll('-', '').slice(0, 24)}`,
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content,
    stop_reason: uses ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  }
}

function asDetails(structured: JsonObject[string]): JsonObject | undefined {
  return typeof structured === 'object' && structured !== null && !Array.isArray(structured)
    ? structured
    : undefined
}
