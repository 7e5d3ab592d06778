import type {
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ReasoningPart,
  LanguageModelV3TextPart,
  LanguageModelV3ToolCallPart,
  LanguageModelV3ToolResultPart,
} from '@ai-sdk/provider'
import { isJsonObject, type ContentBlock, type JsonValue } from '@tutti/protocol'
import type { Wire } from '../model/endpoint.ts'
import { blocksOf } from './complete-history.ts'
import type { ChatMessage } from './types.ts'

/** What the conversion has to know of the rest of the history. */
export interface PromptContext {
  wire: Wire
  /** Tool of a use, by its id; conversions of answers add to it. */
  toolNames: Map<string, string>
}

/** One message as providers take it: results of tools go before what else it says. */
export function promptMessages(
  { role, content }: ChatMessage,
  context: PromptContext,
): LanguageModelV3Message[] {
  const blocks = blocksOf(content)
  if (role === 'assistant') {
    const said = blocks.flatMap(block => saidPart(block, context))
    return said.length > 0 ? [{ role, content: said }] : []
  }
  const results = blocks.filter(({ type }) => type === 'tool_result').map(block => resultPart(block, context))
  const rest = blocks.filter(({ type }) => type !== 'tool_result').flatMap(userPart)
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(rest.length > 0 ? [{ role: 'user' as const, content: rest }] : []),
  ]
}

type Said = LanguageModelV3TextPart | LanguageModelV3ReasoningPart | LanguageModelV3ToolCallPart

/** Thoughts go back to Anthropic only, and only sealed. */
function saidPart(block: ContentBlock, { wire, toolNames }: PromptContext): Said[] {
  switch (block.type) {
    case 'text':
      return textPart(block)
    case 'thinking':
      if (wire !== 'anthropic' || !block.signature) return []
      return [thought(textIn(block.thinking), { signature: block.signature })]
    case 'redacted_thinking':
      return wire === 'anthropic' && block.data ? [thought('', { redactedData: block.data })] : []
    case 'tool_use': {
      const toolCallId = textIn(block.id)
      const toolName = textIn(block.name)
      toolNames.set(toolCallId, toolName)
      const input = isJsonObject(block.input) ? block.input : {}
      return [{ type: 'tool-call', toolCallId, toolName, input }]
    }
    default:
      return []
  }
}

function thought(text: string, seal: { [name: string]: JsonValue }): LanguageModelV3ReasoningPart {
  return { type: 'reasoning', text, providerOptions: { anthropic: seal } }
}

function userPart(block: ContentBlock): (LanguageModelV3TextPart | LanguageModelV3FilePart)[] {
  if (block.type === 'text') return textPart(block)
  const file = fileOf(block)
  if (!file) return [{ type: 'text', text: `[${block.type}]` }]
  if ('text' in file) return [{ type: 'text', text: file.text }]
  const data = 'url' in file ? new URL(file.url) : file.data
  return [{ type: 'file', data, mediaType: file.mediaType }]
}

function textPart({ text }: ContentBlock): LanguageModelV3TextPart[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'text', text }] : []
}

function resultPart(block: ContentBlock, { wire, toolNames }: PromptContext): LanguageModelV3ToolResultPart {
  const toolCallId = textIn(block.tool_use_id)
  const toolName = toolNames.get(toolCallId) ?? 'unknown'
  const { content } = block
  const blocks = Array.isArray(content) ? content.filter(isBlock) : []
  const text = typeof content === 'string' ? content : blocks.map(shownText).join('\n')
  if (block.is_error === true)
    return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value: text } }
  // OpenAI's chat wire takes text only.
  const rich = wire !== 'openai' && blocks.some(({ type }) => type !== 'text')
  const output: LanguageModelV3ToolResultPart['output'] = rich
    ? { type: 'content', value: blocks.map(richPart) }
    : { type: 'text', value: text }
  return { type: 'tool-result', toolCallId, toolName, output }
}

type Rich = Extract<LanguageModelV3ToolResultPart['output'], { type: 'content' }>['value'][number]

function richPart(block: ContentBlock): Rich {
  const file = fileOf(block)
  if (!file || 'text' in file) return { type: 'text', text: shownText(block) }
  const image = file.mediaType.startsWith('image/')
  if ('url' in file)
    return image
      ? { type: 'image-url', url: file.url }
      : { type: 'file-url', url: file.url, mediaType: file.mediaType }
  const { data, mediaType } = file
  return { type: image ? 'image-data' : 'file-data', data, mediaType }
}

function shownText(block: ContentBlock): string {
  return typeof block.text === 'string' ? block.text : `[${block.type}]`
}

type File = { mediaType: string } & ({ data: string } | { url: string })

/** An image or document; undefined for anything else. */
function fileOf({ type, source }: ContentBlock): File | { text: string } | undefined {
  if ((type !== 'image' && type !== 'document') || !isJsonObject(source)) return undefined
  const { data, url, media_type: given } = source
  const mediaType = typeof given === 'string' ? given : type === 'image' ? 'image/*' : 'application/pdf'
  if (source.type === 'url' && typeof url === 'string' && URL.canParse(url)) return { url, mediaType }
  if (typeof data !== 'string') return undefined
  return source.type === 'text' ? { text: data } : { data, mediaType }
}

function textIn(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function isBlock(value: JsonValue): value is ContentBlock {
  return isJsonObject(value) && typeof value.type === 'string'
}
