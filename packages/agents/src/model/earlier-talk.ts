import type { LanguageModelV3Message } from '@ai-sdk/provider'
import { isJsonObject, type ContentBlock, type JsonObject, type JsonValue } from '@tutti/protocol'
import type { AgentContext, TranscriptLine } from '@tutti/runtime'
import { completeHistory } from '../chat/complete-history.ts'
import { promptMessages } from '../chat/prompt-messages.ts'
import type { ChatMessage } from '../chat/types.ts'
import type { Wire } from './endpoint.ts'

const LONGEST_CHAIN = 100
const CONTINUED = 'continued'

export interface EarlierTalk {
  /** The transcript of the try that goes on. */
  transcriptId: string
  wire: Wire
  /** Said next. */
  message: string
}

/**
 * A talk as its transcript has it, with the next message; undefined when the transcript is missing or has gaps. Answers
 * that broke off are left out, as they were for the model.
 */
export async function earlierTalk(
  { readTranscript }: Pick<AgentContext, 'readTranscript'>,
  { transcriptId, wire, message }: EarlierTalk,
): Promise<LanguageModelV3Message[] | undefined> {
  const messages: ChatMessage[] = []
  let id: string | undefined = transcriptId
  for (let n = 0; id !== undefined; n++) {
    const lines: TranscriptLine[] = (await readTranscript?.(id)) ?? []
    const said = lines.flatMap(messageIn)
    if (said.length === 0 || n === LONGEST_CHAIN || lines.some(({ type }) => type === 'transcript_gap'))
      return undefined
    messages.unshift(...said)
    id = originIn(lines)
  }
  messages.push({ role: 'user', content: message })
  const context = { wire, toolNames: new Map<string, string>() }
  return completeHistory(messages).flatMap(one => promptMessages(one, context))
}

/** The line that ties a transcript to the one it goes on from. */
export function continuedLine(transcriptId: string): TranscriptLine {
  return { type: 'system', subtype: CONTINUED, from: transcriptId }
}

function originIn(lines: TranscriptLine[]): string | undefined {
  const from = lines.find(({ type, subtype }) => type === 'system' && subtype === CONTINUED)?.['from']
  return typeof from === 'string' ? from : undefined
}

function messageIn({ type, message }: JsonObject): ChatMessage[] {
  if ((type !== 'user' && type !== 'assistant') || !isJsonObject(message)) return []
  const { content, stop_reason: end } = message
  if (!Array.isArray(content) || (type === 'assistant' && end === null)) return []
  return [{ role: type, content: content.filter(isBlock) }]
}

function isBlock(value: JsonValue): value is ContentBlock {
  return isJsonObject(value) && typeof value['type'] === 'string'
}
