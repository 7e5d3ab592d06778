import { PROTOCOL_VERSION, type JsonObject } from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'
import type { HostCalls } from './host-calls.ts'

/** A server of tools inside the host's process: JSON-RPC that travels as `mcp_message`. */
export interface McpClient {
  /** Shakes hands. Rejects with what the server or the host complained about. */
  connect(): Promise<JsonObject>
  listTools(): Promise<JsonObject[]>
  callTool(name: string, input: JsonObject, signal: AbortSignal): Promise<JsonObject>
}

const MCP_VERSION = '2025-06-18'
const ANSWER_MS = 30_000
const CALL_MS = 10 * 60 * 1000
const MOST_PAGES = 100

export function createMcpClient(server: string, calls: HostCalls): McpClient {
  let count = 0

  const post = (
    message: JsonObject,
    options: { signal?: AbortSignal; timeoutMs: number },
  ): Promise<JsonObject> =>
    calls.ask(
      { subtype: 'mcp_message', server_name: server, message: { jsonrpc: '2.0', ...message } },
      options,
    )

  const request = async (
    method: string,
    params: JsonObject,
    options: CallOptions = {},
  ): Promise<JsonObject> => {
    const answer = await post(
      { id: ++count, method, params },
      { timeoutMs: options.timeoutMs ?? ANSWER_MS, ...(options.signal && { signal: options.signal }) },
    )
    const reply = asObject(answer['mcp_response']) ?? {}
    const error = asObject(reply['error'])
    if (error !== undefined) throw new Error(asText(error['message']) ?? `${method} failed without a reason`)
    const result = asObject(reply['result'])
    if (result === undefined) throw new Error(`${method} was answered without a result`)
    return result
  }

  return {
    async connect() {
      const result = await request('initialize', {
        protocolVersion: MCP_VERSION,
        capabilities: {},
        clientInfo: { name: 'tutti', version: PROTOCOL_VERSION },
      })
      await post({ method: 'notifications/initialized' }, { timeoutMs: ANSWER_MS })
      return result
    },
    async listTools() {
      const tools: JsonObject[] = []
      let cursor: string | undefined
      for (let page = 0; page < MOST_PAGES; page++) {
        const result = await request('tools/list', cursor === undefined ? {} : { cursor })
        const list = Array.isArray(result['tools']) ? result['tools'] : []
        tools.push(...list.map(asObject).filter(tool => tool !== undefined))
        cursor = asText(result['nextCursor'])
        if (cursor === undefined) break
      }
      return tools
    },
    callTool: (name, input, signal) =>
      request('tools/call', { name, arguments: input }, { signal, timeoutMs: CALL_MS }),
  }
}

interface CallOptions {
  signal?: AbortSignal
  timeoutMs?: number
}
