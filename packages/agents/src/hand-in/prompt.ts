import { SUBAGENT_NOTE, type AgentCall } from '@tutti/runtime'

/** The agent type's prompt, and how the answer is used. */
export function systemText({ agentType }: Pick<AgentCall, 'agentType'>): string {
  return [...new Set([agentType.prompt?.trim(), SUBAGENT_NOTE])].filter(Boolean).join('\n\n')
}

/** The tools a call is limited to; undefined: all. */
export function toolsOf({ tools, agentType }: Pick<AgentCall, 'tools' | 'agentType'>): string[] | undefined {
  return tools ?? agentType.tools
}

const WRITING = new Set(['Bash', 'Edit', 'MultiEdit', 'NotebookEdit', 'Write'])

/** None of the tools it is limited to changes anything. */
export function isReadOnly(call: Pick<AgentCall, 'tools' | 'agentType'>): boolean {
  return toolsOf(call)?.every(tool => !WRITING.has(tool.replace(/\(.*/s, ''))) ?? false
}
