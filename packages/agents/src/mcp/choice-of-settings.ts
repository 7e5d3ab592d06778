import type { Settings } from '@tutti/protocol'
import type { McpChoice } from './servers.ts'

/** The servers that settings let agents use. */
export function mcpChoiceOf(settings: Settings): McpChoice {
  const { mcpServers, enabledMcpjsonServers, disabledMcpjsonServers, enableAllProjectMcpServers } = settings
  return {
    ...(mcpServers && { servers: mcpServers }),
    ...(enabledMcpjsonServers && { enabled: enabledMcpjsonServers }),
    ...(disabledMcpjsonServers && { disabled: disabledMcpjsonServers }),
    ...(enableAllProjectMcpServers !== undefined && { enableAll: enableAllProjectMcpServers }),
  }
}
