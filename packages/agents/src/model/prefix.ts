import { createHash } from 'node:crypto'
import type { LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { JsonObject } from '@tutti/protocol'
import type { AgentCall } from '@tutti/runtime'
import type { Kit } from '../tools/kit.ts'
import type { Tool } from '../tools/tool.ts'
import { CACHED } from './messages.ts'
import { structuredOutputTool } from './structured-output.ts'
import { systemPrompt } from './system-prompt.ts'

/** What a request begins with; the same text for all agents of the same kind in the same place. */
export interface Prefix {
  system: string
  tools: LanguageModelV3FunctionTool[]
  /** The same for the same beginning at the same model. */
  hash: string
  /** Characters. */
  length: number
}

export function prefixOf(call: AgentCall, modelId: string, kit?: Kit): Prefix {
  const system = systemPrompt(call, kit?.background)
  const tools = functionTools(kit?.tools ?? [], call.schema)
  const text = JSON.stringify([modelId, call.effort ?? null, tools, system])
  return { system, tools, hash: createHash('sha256').update(text).digest('hex'), length: text.length }
}

/** What a model is told of tools: always in the same order, and the end of them marked for the cache. */
export function functionTools(
  known: readonly Pick<Tool, 'name' | 'description' | 'inputSchema'>[],
  schema?: JsonObject,
): LanguageModelV3FunctionTool[] {
  const tools: LanguageModelV3FunctionTool[] = known.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    inputSchema,
  }))
  if (schema) tools.push(structuredOutputTool(schema))
  const last = tools.pop()
  return last ? [...tools, { ...last, providerOptions: CACHED }] : []
}
