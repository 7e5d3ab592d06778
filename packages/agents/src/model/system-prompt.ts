import { SUBAGENT_NOTE, type AgentCall } from '@tutti/runtime'
import { STRUCTURED_OUTPUT } from './structured-output.ts'

const OBJECT = `Hand your result over by calling the tool ${STRUCTURED_OUTPUT}: its input is the return value, and your text is not read.`

/**
 * The agent type's prompt, how the answer is used, and the project. Free of times and of what differs between
 * agents of the same type and place, so that endpoints can cache it.
 */
export function systemPrompt(call: Pick<AgentCall, 'agentType' | 'schema'>, background: string = ''): string {
  const own = call.agentType.prompt?.trim()
  const parts = [own, SUBAGENT_NOTE, call.schema ? OBJECT : undefined, background]
  return [...new Set(parts)].filter(Boolean).join('\n\n')
}
