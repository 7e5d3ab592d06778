import { isJsonObject, type McpServerSettings } from '@tutti/protocol'
import { UsageError } from '../usage-error.ts'
import { jsonOrFile } from './json-or-file.ts'

/**
 * The servers of `--mcp-config`, each JSON or a file with `mcpServers`; later ones win. Those that run in the host
 * are announced by it and left out here. Throws UsageError.
 */
export async function mcpServersOf(
  given: readonly string[],
  cwd: string,
): Promise<Record<string, McpServerSettings>> {
  if (given.length === 0) return {}
  const { McpServerSettingsSchema } = await import('@tutti/protocol/schemas')
  const servers = new Map<string, McpServerSettings>()
  for (const text of given) {
    const { mcpServers } = await jsonOrFile(text, '--mcp-config', cwd)
    if (!isJsonObject(mcpServers)) throw new UsageError('--mcp-config has no object "mcpServers"')
    for (const [name, server] of Object.entries(mcpServers)) {
      if (isJsonObject(server) && server['type'] === 'sdk') continue
      const checked = McpServerSettingsSchema.safeParse(server)
      if (!checked.success) {
        const [issue] = checked.error.issues
        const place = issue?.path.join('.') ?? ''
        throw new UsageError(
          `--mcp-config: the server "${name}" is not valid: ${place} ${issue?.message ?? ''}`,
        )
      }
      servers.set(name, checked.data)
    }
  }
  return Object.fromEntries(servers)
}
