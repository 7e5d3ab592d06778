import { createHash } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { capped } from '../tools/spill.ts'
import type { Tool } from '../tools/tool.ts'
import type { McpConnection, McpToolInfo } from './connection.ts'

const LONGEST_NAME = 64
const LONGEST_DESCRIPTION = 2000

/** A tool of a server, under the name `mcp__server__tool`. What it says about itself is not relied on. */
export function mcpTool(info: McpToolInfo, connection: Pick<McpConnection, 'call'>): Tool {
  return {
    name: toolName(info),
    description: info.description.slice(0, LONGEST_DESCRIPTION),
    inputSchema: info.inputSchema,
    readOnly: false,
    prepare: async (input, workplace) => ({
      wish: { kind: 'foreign' },
      summary: info.name,
      async run() {
        const result = await connection.call(info.name, input, workplace.signal)
        const text = await capped(textOf(result), workplace.spill)
        return result.isError ? { text, failed: true } : { text }
      },
    }),
  }
}

/** Endpoints take letters, digits, `_` and `-`, 64 at most. */
function toolName({ server, name }: McpToolInfo): string {
  const whole = `mcp__${server}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (whole.length <= LONGEST_NAME) return whole
  const hash = createHash('sha256').update(whole).digest('hex').slice(0, 8)
  return `${whole.slice(0, LONGEST_NAME - 9)}_${hash}`
}

function textOf({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(part => {
    if (part.type === 'text') return part.text
    if (part.type === 'resource' && 'text' in part.resource) return part.resource.text
    return `[${part.type}]`
  })
  const text = parts.join('\n')
  if (text !== '') return text
  return structuredContent === undefined ? '[no output]' : JSON.stringify(structuredContent)
}
