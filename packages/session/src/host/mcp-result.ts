import type { ChatToolResult } from '@tutti/agents/chat'
import type { ContentBlock, JsonObject, JsonValue } from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'

/** The result of a tool of a server, in blocks that a model reads. */
export function readMcpResult(result: JsonObject): ChatToolResult {
  const parts = Array.isArray(result['content']) ? result['content'] : []
  const blocks = parts.map(readPart).filter(block => block !== undefined)
  const structured = result['structuredContent']
  if (blocks.length === 0)
    blocks.push(text(structured === undefined ? '[no output]' : JSON.stringify(structured)))
  return {
    content: blocks,
    ...(result['isError'] === true && { failed: true }),
    ...(structured !== undefined && { structured }),
  }
}

function readPart(value: JsonValue): ContentBlock | undefined {
  const part = asObject(value)
  if (part === undefined) return undefined
  switch (part['type']) {
    case 'text':
      return text(asText(part['text']) ?? '')
    case 'image':
      return {
        type: 'image',
        source: {
          type: 'base64',
          media_type: asText(part['mimeType']) ?? 'image/png',
          data: asText(part['data']) ?? '',
        },
      }
    case 'resource': {
      const resource = asObject(part['resource'])
      return text(asText(resource?.['text']) ?? `[resource ${asText(resource?.['uri']) ?? ''}]`)
    }
    default:
      return text(`[${asText(part['type']) ?? 'unknown'}]`)
  }
}

function text(content: string): ContentBlock {
  return { type: 'text', text: content }
}
