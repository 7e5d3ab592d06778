import type { AgentCall } from '@tutti/runtime'
import { bashTool } from './bash.ts'
import { editTool } from './edit.ts'
import { globTool } from './glob.ts'
import { grepTool } from './grep.ts'
import { isNamed } from './names.ts'
import { readTool } from './read.ts'
import { todoWriteTool } from './todo-write.ts'
import type { Tool } from './tool.ts'
import { webFetchTool } from './web-fetch.ts'
import { writeTool } from './write.ts'

/** The tools of an agent, in the order in which the model is told of them. */
export const BUILT_IN_TOOLS: readonly Tool[] = [
  bashTool,
  editTool,
  globTool,
  grepTool,
  readTool,
  todoWriteTool,
  webFetchTool,
  writeTool,
]

/** Those that both the agent's type and its call allow. An absent list allows all. */
export function allowedTools(tools: readonly Tool[], call: Pick<AgentCall, 'agentType' | 'tools'>): Tool[] {
  return tools.filter(({ name }) => isNamed(name, call.agentType.tools) && isNamed(name, call.tools))
}
