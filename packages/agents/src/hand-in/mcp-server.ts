import type { JsonObject, JsonValue } from '@tutti/protocol'
import { LATEST_REVISION, REVISIONS, type McpMessage, type McpReply } from './mcp-messages.ts'

/** A tool as the other side sees it, and what it does. */
export interface McpTool {
  name: string
  description: string
  inputSchema: JsonObject
  call(input: JsonValue): { text: string; failed: boolean }
}

const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INVALID_REQUEST = -32600

/** Answers one message of the Model Context Protocol as a server with one tool. Notifications get no answer. */
export function answerMcp(message: unknown, tool: McpTool): McpReply | undefined {
  if (!isMessage(message)) return failure(null, INVALID_REQUEST, 'not a JSON-RPC message')
  const { id, method, params } = message
  if (id === undefined || method === undefined) return undefined
  switch (method) {
    case 'initialize':
      return success(id, {
        protocolVersion: revisionFor(params?.['protocolVersion']),
        capabilities: { tools: {} },
        serverInfo: { name: 'tutti', version: '1' },
      })
    case 'ping':
      return success(id, {})
    case 'tools/list':
      return success(id, { tools: [described(tool)] })
    case 'tools/call': {
      if (params?.['name'] !== tool.name)
        return failure(id, INVALID_PARAMS, `there is only the tool ${tool.name}`)
      const { text, failed } = tool.call(params['arguments'] ?? {})
      return success(id, { content: [{ type: 'text', text }], isError: failed })
    }
    default:
      return failure(id, METHOD_NOT_FOUND, `unknown method ${method}`)
  }
}

/** The hints let products that ask before tools that change things take it without asking. */
function described({ name, description, inputSchema }: McpTool): JsonObject {
  const annotations = {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  }
  return { name, description, inputSchema, annotations }
}

function revisionFor(wanted: JsonValue | undefined): string {
  return typeof wanted === 'string' && REVISIONS.includes(wanted) ? wanted : LATEST_REVISION
}

function success(id: McpMessage['id'], result: JsonObject): McpReply {
  return { jsonrpc: '2.0', id: id ?? null, result }
}

function failure(id: McpMessage['id'] | null, code: number, message: string): McpReply {
  return { jsonrpc: '2.0', id: id ?? null, error: { code, message } }
}

function isMessage(value: unknown): value is McpMessage {
  return typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0'
}
