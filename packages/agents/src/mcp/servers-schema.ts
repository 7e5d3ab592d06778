import type { McpServerSettings } from '@tutti/protocol'
import { McpServerSettingsSchema } from '@tutti/protocol/schemas'
import { z } from 'zod'

/** The file `.mcp.json`. */
export const McpServersSchema: z.ZodType<{ mcpServers: Record<string, McpServerSettings> }> = z.object({
  mcpServers: z.record(z.string(), McpServerSettingsSchema),
})
