import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { McpServerSettings } from '@tutti/protocol'

/** Which servers agents may use. */
export interface McpChoice {
  /** Of the settings: all may be used. */
  servers?: Record<string, McpServerSettings>
  /** Of the project's `.mcp.json`: only those that are named, or all. */
  enabled?: string[]
  disabled?: string[]
  enableAll?: boolean
}

export interface ChosenServers {
  servers: Record<string, McpServerSettings>
  /** Why `.mcp.json` could not be used. */
  problem?: string
}

type Environment = Record<string, string | undefined>

/** The servers that may be used, by name; those of the settings win. `${NAME}` stands for a variable. */
export async function chosenServers(
  root: string,
  choice: McpChoice,
  env: Environment,
): Promise<ChosenServers> {
  const { servers: own = {}, enabled = [], disabled = [], enableAll = false } = choice
  const found = enableAll || enabled.length > 0 ? await projectServers(root) : {}
  if (typeof found === 'string') return { servers: expandServers(own, env), problem: found }
  const chosen = Object.entries(found).filter(
    ([name]) => !disabled.includes(name) && (enableAll || enabled.includes(name)),
  )
  return { servers: expandServers({ ...Object.fromEntries(chosen), ...own }, env) }
}

/** A text is what is wrong with the file. */
async function projectServers(root: string): Promise<Record<string, McpServerSettings> | string> {
  const text = await readFile(join(root, '.mcp.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return {}
  try {
    const { McpServersSchema } = await import('./servers-schema.ts')
    return McpServersSchema.parse(JSON.parse(text)).mcpServers
  } catch (error) {
    return `.mcp.json cannot be used: ${(error as Error).message}`
  }
}

/** `${NAME}` stands for a variable. */
export function expandServers(
  servers: Record<string, McpServerSettings>,
  env: Environment,
): Record<string, McpServerSettings> {
  const text = (value: string): string => expand(value, env)
  const values = (record: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, text(value)]))
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      {
        ...server,
        ...(server.command !== undefined && { command: text(server.command) }),
        ...(server.args && { args: server.args.map(text) }),
        ...(server.env && { env: values(server.env) }),
        ...(server.url !== undefined && { url: text(server.url) }),
        ...(server.headers && { headers: values(server.headers) }),
      },
    ]),
  )
}

/** `${NAME}` and `${NAME:-default}`; what is not set stays as it is written. */
function expand(text: string, env: Environment): string {
  return text.replaceAll(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (whole, name: string, fallback?: string) => env[name] ?? fallback ?? whole,
  )
}
