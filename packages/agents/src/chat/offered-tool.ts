import type { JsonObject } from '@tutti/protocol'
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
export function foreignTool(tool: ChatTool): OfferedTool {
  const { name, aliases = [], description, inputSchema, readOnly, decidesItself = false } = tool
  return {
    name,
    aliases,
    description,
    inputSchema,
    readOnly,
    decidesItself,
    prepare: async (input, use) => ({
      wish: { kind: readOnly ? 'free' : 'foreign' },
      run: () => untilAborted(Promise.resolve(tool.run(input, use)), use.signal),
    }),
  }
}
