import type { Chat } from '@tutti/agents/chat'
import type { HostState } from './host/host-state.ts'
import type { Note } from './output/notes.ts'

/** Has the servers of the host connected, in the place of those it had before; what fails is noted. */
export function useServers(chat: Chat, servers: HostState['mcpServers'], note: Note): void {
  chat.setServers(servers).then(
    ({ errors }) => {
      for (const [name, error] of Object.entries(errors))
        note(`the MCP server ${name} cannot be used: ${error}`)
    },
    (error: unknown) => note(`MCP servers cannot be used: ${String(error)}`),
  )
}
