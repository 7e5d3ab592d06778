import type { ChatTool } from '@tutti/agents/chat'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import { syntheticToolUseId } from '../launch-result.ts'
import type { Random } from '@tutti/runtime'
import { asObject, asText } from '../json-fields.ts'
import type { PermissionChannel } from './ask-permission.ts'
import type { HostCalls } from './host-calls.ts'

export interface PermissionChannelOptions {
  calls: HostCalls
  random: Random
  /** `stdio`: the host; another name: a tool that answers; absent: the host, if it answers without being told so. */
  promptTool?: string
  /** The host is of the family that answers without being told so. */
  hostAnswers(): boolean
  /** Tools of the host, among which is the one that answers. */
  tools(): readonly ChatTool[]
}

/** People take their time, but a question must not stand for ever. */
const LONGEST_MS = 60 * 60 * 1000

export function createPermissionChannel(options: PermissionChannelOptions): PermissionChannel {
  const { calls, random, promptTool, hostAnswers, tools } = options
  const byTool = promptTool !== undefined && promptTool !== 'stdio'
  const answering = (): ChatTool | undefined => tools().find(tool => tool.name === promptTool)

  return {
    get open() {
      if (!calls.present) return false
      return byTool ? answering() !== undefined : promptTool === 'stdio' || hostAnswers()
    },
    async ask(question, signal) {
      if (!byTool)
        return calls.ask({ subtype: 'can_use_tool', ...question }, { signal, timeoutMs: LONGEST_MS })
      const tool = answering()
      if (tool === undefined) throw new Error(`the tool ${promptTool} that answers is not there`)
      const { tool_name, input, tool_use_id } = question
      const { content, failed } = await tool.run(
        { tool_name: tool_name ?? '', input: input ?? {}, tool_use_id: tool_use_id ?? '' },
        { toolUseId: syntheticToolUseId(random), signal },
      )
      if (failed) throw new Error(`the tool ${promptTool} that answers has failed`)
      return readAnswer(content)
    },
  }
}

function readAnswer(content: string | JsonObject[]): JsonObject {
  const text =
    typeof content === 'string' ? content : content.map(block => asText(block['text']) ?? '').join('')
  try {
    return asObject(JSON.parse(text) as JsonValue) ?? {}
  } catch {
    return {}
  }
}
