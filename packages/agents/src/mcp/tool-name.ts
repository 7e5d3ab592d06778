import { createHash } from 'node:crypto'

const LONGEST_NAME = 64

/** `mcp__server__tool`. Endpoints take letters, digits, `_` and `-`, 64 at most. */
export function mcpToolName({ server, name }: { server: string; name: string }): string {
  const whole = `mcp__${server}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  return whole.length <= LONGEST_NAME ? whole : withHash(whole, whole)
}

interface Named {
  server: string
  name: string
}

/** The tools with their names, each once: endpoints refuse two of one name. */
export function nameMcpTools<T extends Named>(tools: readonly T[]): Map<string, T> {
  const named = new Map<string, T>()
  for (const tool of tools) {
    const name = mcpToolName(tool)
    const same = named.get(name)
    if (!same) named.set(name, tool)
    else if (same.server !== tool.server || same.name !== tool.name)
      named.set(withHash(name, JSON.stringify([tool.server, tool.name])), tool)
  }
  return named
}

function withHash(name: string, of: string): string {
  const hash = createHash('sha256').update(of).digest('hex').slice(0, 8)
  return `${name.slice(0, LONGEST_NAME - 9)}_${hash}`
}
