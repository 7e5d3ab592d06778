import type { Chat } from '@tutti/agents/chat'
import { WIRE_BASELINE, type FrameStamp, type InitFrame } from '@tutti/protocol'
import type { WorkflowDesk } from '../workflow/types.ts'

export interface InitOptions {
  /** Absent when they could not be opened: then the turn has nothing but its failure. */
  opened?: { chat: Chat; desk: WorkflowDesk }
  cwd: string
  permissionMode: string
  agents: string[]
  /** Servers inside the host's process. */
  hostServers: { name: string; status: string }[]
  stamp: FrameStamp
}

/** What stands at the start of each turn. */
export async function initFrame(options: InitOptions): Promise<InitFrame> {
  const { opened, cwd, permissionMode, agents, hostServers, stamp } = options
  const [tools, servers, commands] = await Promise.all([
    opened?.chat.toolNames() ?? [],
    opened?.chat.mcpServers() ?? [],
    opened?.desk.commands() ?? [],
  ])
  return {
    type: 'system',
    subtype: 'init',
    cwd,
    tools,
    model: opened?.chat.modelId ?? '',
    permissionMode,
    mcp_servers: [...servers, ...hostServers].map(({ name, status }) => ({ name, status })),
    slash_commands: commands.map(({ name }) => name),
    skills: [],
    agents,
    plugins: [],
    output_style: 'default',
    apiKeySource: 'user',
    claude_code_version: WIRE_BASELINE,
    capabilities: [...(opened?.desk.capabilities ?? [])],
    ...stamp,
  }
}
