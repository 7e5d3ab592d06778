import {
  Client,
  StreamableHTTPClientTransport,
  type CallToolResult,
  type Transport,
} from '@modelcontextprotocol/client'
import type { JsonObject, McpServerSettings } from '@tutti/protocol'
import type { ProcessGroups } from '../process-groups.ts'
import { StdioTransport } from './stdio-transport.ts'

/** A tool of a server. */
export interface McpToolInfo {
  server: string
  name: string
  description: string
  inputSchema: JsonObject
}

/** A server that was reached. */
export interface McpConnection {
  tools: McpToolInfo[]
  /** The process of the server is gone. */
  readonly ended: boolean
  /** Rejects when the server complains, is gone, or takes longer than two minutes. */
  call(tool: string, input: JsonObject, signal: AbortSignal): Promise<CallToolResult>
  close(): Promise<void>
}

export interface ConnectOptions {
  name: string
  server: McpServerSettings
  cwd: string
  /** Without secrets; what the server's settings give comes on top. */
  env: Record<string, string>
  groups?: ProcessGroups
}

const CONNECT_MS = 30_000
const CALL_MS = 120_000

/** Starts or reaches a server and asks for its tools. Rejects with what it complained about. */
export async function connectServer(options: ConnectOptions): Promise<McpConnection> {
  const transport = transportOf(options)
  const client = new Client({ name: 'tutti', version: '1' })
  try {
    hold(transport, true)
    await client.connect(transport, { timeout: CONNECT_MS })
    const { tools } = await client.listTools({}, { timeout: CONNECT_MS })
    hold(transport, false)
    return {
      get ended() {
        return transport instanceof StdioTransport && !transport.running
      },
      tools: tools.map(({ name, description = '', inputSchema }) => ({
        server: options.name,
        name,
        description,
        inputSchema: inputSchema as JsonObject,
      })),
      call: async (name, input, signal) => {
        hold(transport, true)
        try {
          return await client.callTool({ name, arguments: input }, { signal, timeout: CALL_MS })
        } finally {
          hold(transport, false)
        }
      },
      close: () => client.close(),
    }
  } catch (error) {
    await client.close().catch(() => {})
    const complaints = transport instanceof StdioTransport ? transport.complaints : ''
    throw new Error([reasonOf(error), complaints].filter(Boolean).join(': '), { cause: error })
  }
}

function transportOf({ server, cwd, env, groups }: ConnectOptions): Transport {
  const { type = server.url === undefined ? 'stdio' : 'http', command, args = [], url, headers = {} } = server
  if (type === 'stdio') {
    if (!command) throw new Error('it has no command')
    return new StdioTransport({
      command,
      args,
      cwd,
      env: { ...env, ...server.env },
      ...(groups && { groups }),
    })
  }
  if (type === 'sse') throw new Error('servers of type sse are not supported; most speak http as well')
  if (!url || !URL.canParse(url)) throw new Error('it has no valid url')
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
}

function hold(transport: Transport, on: boolean): void {
  if (transport instanceof StdioTransport) transport.hold(on)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error ? `${error.message} (${cause.message})` : error.message
}
