import type { ChatServer } from '@tutti/agents/chat'
import type { JsonObject, McpServerStatus } from '@tutti/protocol'
import { readServers } from '../host/host-state.ts'
import { asFlag, asObject, asText } from '../json-fields.ts'
import type { SessionParts } from '../session-parts.ts'
import type { Handler } from './control-desk.ts'

/** Requests about servers of tools. */
export function mcpHandlers({ options, chat, host, servers }: SessionParts): Record<string, Handler> {
  return {
    async mcp_status() {
      const ours = await chat.opened?.mcpServers()
      const all: McpServerStatus[] = [
        ...(ours?.map(statusOf) ?? pending(options.config.mcpServers, host.mcpServers)),
        ...servers.statuses,
      ]
      return { mcpServers: all }
    },
    mcp_message(request) {
      const server = asText(request['server_name'])
      const message = asObject(request['message'])
      if (server === undefined || message === undefined) {
        throw new Error('mcp_message needs a text "server_name" and an object "message"')
      }
      return { mcp_response: servers.receive(server, message) }
    },
    mcp_set_servers(request) {
      const wanted = asObject(request['servers'])
      if (wanted === undefined) throw new Error('mcp_set_servers needs an object "servers"')
      const reachable = readServers(wanted) ?? {}
      const inHost = Object.keys(wanted).filter(name => !Object.hasOwn(reachable, name))
      const { added, removed } = servers.set(inHost)
      const before = host.mcpServers
      host.mcpServers = reachable
      if (chat.opened !== undefined) {
        const setting = chat.opened.setServers(reachable)
        return setting.then(ours => ({
          added: [...added, ...ours.added],
          removed: [...removed, ...ours.removed],
          errors: ours.errors,
        }))
      }
      added.push(...Object.keys(reachable).filter(name => !Object.hasOwn(before, name)))
      removed.push(...Object.keys(before).filter(name => !Object.hasOwn(reachable, name)))
      return { added, removed, errors: {} }
    },
    async mcp_reconnect(request) {
      const name = serverName(request)
      if (servers.has(name)) await servers.reconnect(name)
      else await (await chat.open()).reconnectServer(name)
      return {}
    },
    async mcp_toggle(request) {
      const name = serverName(request)
      const on = asFlag(request['enabled'])
      if (on === undefined) throw new Error('mcp_toggle needs "enabled", true or false')
      if (servers.has(name)) servers.toggle(name, on)
      else await (await chat.open()).toggleServer(name, on)
      return {}
    },
  }
}

function statusOf({ name, status, error, tools }: ChatServer): McpServerStatus {
  return {
    name,
    status,
    ...(error !== undefined && { error }),
    ...(tools !== undefined && { tools: tools.map(tool => ({ ...tool })) }),
  }
}

function serverName(request: JsonObject & { subtype: string }): string {
  const name = asText(request['serverName']) ?? asText(request['server_name'])
  if (name === undefined) throw new Error(`${request.subtype} needs a text "serverName"`)
  return name
}

function pending(...sets: Readonly<Record<string, unknown>>[]): McpServerStatus[] {
  const names = new Set(sets.flatMap(set => Object.keys(set)))
  return [...names].map(name => ({ name, status: 'pending' }))
}
