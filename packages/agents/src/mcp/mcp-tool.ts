import type { CallToolResult } from '@modelcontextprotocol/client'
import { capped } from '../tools/spill.ts'
import type { Tool } from '../tools/tool.ts'
import type { McpConnection, McpToolInfo } from './connection.ts'
import { mcpToolName } from './tool-name.ts'

const LONGEST_DESCRIPTION = 2000

/** A tool of a server, under the name `mcp__server__tool`. What it says about itself is not relied on. */
export function mcpTool(info: McpToolInfo, connection: Pick<McpConnection, 'call'>): Tool {
  return {
    name: mcpToolName(info),
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
