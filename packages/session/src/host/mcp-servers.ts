import { mcpToolName } from '@tutti/agents'
import type { ChatTool } from '@tutti/agents/chat'
import type { JsonObject, McpServerStatus } from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'
import type { Note } from '../output/notes.ts'
import type { HostCalls } from './host-calls.ts'
import { createMcpClient, type McpClient } from './mcp-client.ts'
import { readMcpResult } from './mcp-result.ts'

/** The servers of tools inside the host's process. */
export interface HostMcpServers {
  /** Connects to those that are new and forgets those that are not named. */
  set(names: readonly string[]): { added: string[]; removed: string[] }
  /** Resolves when each server has been reached or given up. */
  settled(): Promise<void>
  has(name: string): boolean
  /** Asks anew for its tools. Rejects when it does not answer. */
  reconnect(name: string): Promise<void>
  /** The tools of one that is switched off are not offered. */
  toggle(name: string, on: boolean): void
  readonly tools: readonly ChatTool[]
  readonly statuses: McpServerStatus[]
  /** A message that a server sends by itself: what it is answered. Throws for a server that is not there. */
  receive(server: string, message: JsonObject): JsonObject
}

export interface HostMcpServersOptions {
  calls: HostCalls
  note: Note
  /** The tools are others than before. */
  onTools(): void
}

interface Server {
  name: string
  client: McpClient
  on: boolean
  status: 'pending' | 'connected' | 'failed'
  error?: string
  info?: JsonObject
  tools: ChatTool[]
  /** The last time its tools were asked for. */
  asking: Promise<void>
}

const METHOD_NOT_FOUND = -32_601
const LONGEST_DESCRIPTION = 2000
const MOST_TOOLS = 1000

export function createHostMcpServers({ calls, note, onTools }: HostMcpServersOptions): HostMcpServers {
  const servers = new Map<string, Server>()

  const readTools = async (server: Server): Promise<void> => {
    try {
      server.info ??= await server.client.connect()
      const list = await server.client.listTools()
      server.tools = list.slice(0, MOST_TOOLS).flatMap(tool => chatTool(server, tool))
      server.status = 'connected'
      delete server.error
    } catch (error) {
      server.status = 'failed'
      server.error = error instanceof Error ? error.message : String(error)
      server.tools = []
      note(`the host's MCP server ${server.name} cannot be used: ${server.error}`)
    }
    if (servers.get(server.name) === server) onTools()
  }

  const add = (name: string): void => {
    const client = createMcpClient(name, calls)
    const server: Server = {
      name,
      client,
      on: true,
      status: 'pending',
      tools: [],
      asking: Promise.resolve(),
    }
    servers.set(name, server)
    server.asking = readTools(server)
  }

  return {
    set(names) {
      const removed = [...servers.keys()].filter(name => !names.includes(name))
      const added = names.filter(name => !servers.has(name))
      for (const name of removed) servers.delete(name)
      for (const name of added) add(name)
      if (removed.length > 0) onTools()
      return { added, removed }
    },
    async settled() {
      await Promise.all([...servers.values()].map(({ asking }) => asking))
    },
    has: name => servers.has(name),
    async reconnect(name) {
      const server = servers.get(name)
      if (server === undefined) return
      await server.asking
      delete server.info
      server.asking = readTools(server)
      await server.asking
      if (server.error !== undefined) throw new Error(server.error)
    },
    toggle(name, on) {
      const server = servers.get(name)
      if (server === undefined || server.on === on) return
      server.on = on
      onTools()
    },
    get tools() {
      return [...servers.values()].flatMap(({ on, tools }) => (on ? tools : []))
    },
    get statuses() {
      return [...servers.values()].map(statusOf)
    },
    receive(name, message): JsonObject {
      const server = servers.get(name)
      if (server === undefined)
        throw new Error(`there is no MCP server ${JSON.stringify(name.slice(0, 100))}`)
      const { id, method } = message
      if (method === 'notifications/tools/list_changed') {
        server.asking = server.asking.then(() => readTools(server))
      }
      if (id === undefined) return { jsonrpc: '2.0', result: {} }
      if (method === 'ping') return { jsonrpc: '2.0', id, result: {} }
      return {
        jsonrpc: '2.0',
        id,
        error: { code: METHOD_NOT_FOUND, message: `${asText(method) ?? 'the method'} is not known here` },
      }
    },
  }
}

function statusOf({ name, on, status, error, info, tools }: Server): McpServerStatus {
  const serverInfo = asObject(info?.['serverInfo'])
  return {
    name,
    status: on ? status : 'disabled',
    ...(error !== undefined && { error }),
    ...(serverInfo !== undefined && { serverInfo }),
    config: { type: 'sdk', name },
    scope: 'dynamic',
    tools: tools.map(tool => ({ name: tool.name, description: tool.description })),
  }
}

function chatTool({ name: server, client }: Server, tool: JsonObject): ChatTool[] {
  const name = asText(tool['name'])
  if (name === undefined || name === '') return []
  return [
    {
      name: mcpToolName({ server, name }),
      description: (asText(tool['description']) ?? '').slice(0, LONGEST_DESCRIPTION),
      inputSchema: asObject(tool['inputSchema']) ?? { type: 'object' },
      // What a tool says about itself is not relied on.
      readOnly: false,
      async run(input, { signal }) {
        try {
          return readMcpResult(await client.callTool(name, input, signal))
        } catch (error) {
          return { content: error instanceof Error ? error.message : String(error), failed: true }
        }
      },
    },
  ]
}
