import { SUBAGENT_NOTE, type AgentCall } from '@tutti/runtime'
import { STRUCTURED_OUTPUT } from './structured-output.ts'

const OBJECT = `Hand your result over by calling the tool ${STRUCTURED_OUTPUT}: its input is the return value, and your text is not read.`

/** The agent type's prompt, and how the answer is used. Free of times and ids, so that endpoints can cache it. */
export function systemPrompt(call: Pick<AgentCall, 'agentType' | 'schema'>): string {
  const own = call.agentType.prompt?.trim()
  const parts = [own, SUBAGENT_NOTE, call.schema ? OBJECT : undefined]
  return [...new Set(parts)].filter(Boolean).join('\n\n')
}
