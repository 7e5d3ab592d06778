import type { JsonObject } from '@tutti/protocol'
import { capped } from '../tools/spill.ts'
import type { PreparedUse, Tool, Wish } from '../tools/tool.ts'
import type { Workplace } from '../tools/workplace.ts'
import type { ChatTool, ChatToolResult, ToolUse } from './types.ts'
import { untilAborted } from './until-aborted.ts'

/** A tool that the model is told of, whoever performs it. */
export interface OfferedTool {
  name: string
  aliases: readonly string[]
  description: string
  inputSchema: JsonObject
  readOnly: boolean
  /** Rules and modes are not applied. */
  decidesItself: boolean
  /** Throws ToolProblem for input that cannot be meant. */
  prepare(input: JsonObject, use: ToolUse): Promise<{ wish: Wish; run(): Promise<ChatToolResult> }>
}

/** One of ours, or of a server that runs on our side. It ends by itself when the turn is stopped. */
export function ownTool(tool: Tool, workplace: Workplace): OfferedTool {
  const { name, description, inputSchema, readOnly } = tool
  return {
    name,
    aliases: [],
    description,
    inputSchema,
    readOnly,
    decidesItself: false,
    async prepare(input) {
      const { wish, run }: PreparedUse = await tool.prepare(input, workplace)
      return {
        wish,
        async run() {
          const { text, failed } = await run()
          return { content: text, ...(failed && { failed }) }
        },
      }
    },
  }
}

/** One that somebody else performs; nobody knows whether it hears that the turn is stopped. */
export function foreignTool(tool: ChatTool, workplace: Workplace): OfferedTool {
  const {
    name,
    aliases = [],
    description,
    inputSchema,
    readOnly,
    decidesItself = false,
    endsItself = false,
  } = tool
  return {
    name,
    aliases,
    description,
    inputSchema,
    readOnly,
    decidesItself,
    prepare: async (input, use) => ({
      wish: { kind: readOnly ? 'free' : 'foreign' },
      async run() {
        const running = tool.run(input, use)
        const result = await (endsItself ? running : untilAborted(running, use.signal))
        return { ...result, content: await cappedContent(result.content, workplace) }
      },
    }),
  }
}

async function cappedContent(
  content: ChatToolResult['content'],
  { spill }: Workplace,
): Promise<ChatToolResult['content']> {
  if (typeof content === 'string') return capped(content, spill)
  return Promise.all(
    content.map(async block =>
      typeof block.text === 'string' ? { ...block, text: await capped(block.text, spill) } : block,
    ),
  )
}
