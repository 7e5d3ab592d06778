import type { McpServerStatus } from '@tutti/protocol'
import { readServers } from '../host/host-state.ts'
import { asObject, asText } from '../json-fields.ts'
import type { SessionParts } from '../session-parts.ts'
import type { Handler } from './control-desk.ts'

/** Requests about servers of tools. */
export function mcpHandlers({ options, chat, host, servers }: SessionParts): Record<string, Handler> {
  return {
    async mcp_status() {
      const ours = await chat.opened?.mcpServers()
      const all: McpServerStatus[] = [
        ...(ours?.map(({ name, status }) => ({ name, status })) ??
          pending(options.config.mcpServers, host.mcpServers)),
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
      const errors: Record<string, string> = {}
      if (chat.opened === undefined) {
        added.push(...Object.keys(reachable).filter(name => !Object.hasOwn(host.mcpServers, name)))
        removed.push(...Object.keys(host.mcpServers).filter(name => !Object.hasOwn(reachable, name)))
        host.mcpServers = reachable
      } else {
        for (const name of Object.keys(reachable)) {
          errors[name] = 'servers outside of the host can only be set before the first message'
        }
      }
      return { added, removed, errors }
    },
  }
}

function pending(...sets: Readonly<Record<string, unknown>>[]): McpServerStatus[] {
  const names = new Set(sets.flatMap(set => Object.keys(set)))
  return [...names].map(name => ({ name, status: 'pending' }))
}
