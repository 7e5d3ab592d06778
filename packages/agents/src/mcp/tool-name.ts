import { createHash } from 'node:crypto'

const LONGEST_NAME = 64

/** `mcp__server__tool`. Endpoints take letters, digits, `_` and `-`, 64 at most. */
export function mcpToolName({ server, name }: { server: string; name: string }): string {
  const whole = `mcp__${server}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (whole.length <= LONGEST_NAME) return whole
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8)
  return `${whole.slice(0, LONGEST_NAME - 9)}_${hash}`
}
