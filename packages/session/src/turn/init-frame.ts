import type { Chat } from '@tutti/agents/chat'
import { WIRE_BASELINE, type FrameStamp, type InitFrame } from '@tutti/protocol'
import type { WorkflowDesk } from '../workflow/types.ts'

export interface InitOptions {
  chat: Chat
  desk: WorkflowDesk
  cwd: string
  agents: string[]
  /** Servers inside the host's process. */
  hostServers: { name: string; status: string }[]
  stamp: FrameStamp
}

/** What stands at the start of each turn. */
export async function initFrame(options: InitOptions): Promise<InitFrame> {
  const { chat, desk, cwd, agents, hostServers, stamp } = options
  const [tools, servers, commands] = await Promise.all([chat.toolNames(), chat.mcpServers(), desk.commands()])
  return {
    type: 'system',
    subtype: 'init',
    cwd,
    tools,
    model: chat.modelId ?? '',
    permissionMode: chat.config.permissions.defaultMode ?? 'default',
    mcp_servers: [...servers, ...hostServers].map(({ name, status }) => ({ name, status })),
    slash_commands: commands.map(({ name }) => name),
    skills: [],
    agents,
    plugins: [],
    output_style: 'default',
    apiKeySource: 'user',
    claude_code_version: WIRE_BASELINE,
    capabilities: [...desk.capabilities],
    ...stamp,
  }
}
