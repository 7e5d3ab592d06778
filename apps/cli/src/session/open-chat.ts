import { openSandbox, type ProcessGroups } from '@tutti/agents'
import { createChat, mcpChoiceOf, type Chat, type ChatConfig, type ChatOptions } from '@tutti/agents/chat'
import { WorkflowInputError, type AgentTypes } from '@tutti/runtime'
import type { SessionConfig } from '@tutti/session'
import type { Project } from '../setup/project.ts'
import { chatEndpoint } from './chat-endpoint.ts'

export interface OpenChatOptions extends Pick<
  ChatOptions,
  'messages' | 'governor' | 'clock' | 'random' | 'projectInstructions'
> {
  project: Project
  config: SessionConfig
  agentTypes: AgentTypes
  groups: ProcessGroups
}

/** The conversation of a session, over the project's endpoint, settings and servers of tools. */
export async function openChat(initial: ChatConfig, options: OpenChatOptions): Promise<Chat> {
  const { project, config, agentTypes, groups, ...rest } = options
  const { cwd, env, settings } = project
  const { models, prices } = settings.tutti ?? {}
  const sandbox = openSandbox(settings.tutti?.sandbox, env)
  return createChat({
    ...rest,
    endpoint: chatEndpoint(project),
    workspace: { projectRoot: cwd, env, groups, mcp: mcpChoiceOf(settings), ...(sandbox && { sandbox }) },
    additionalDirectories: config.additionalDirectories,
    config: await withAgent(initial, config, agentTypes),
    ...(models && { models }),
    ...(prices && { prices }),
  })
}

/** `--agent`: what its type says holds where nothing else was said. Throws WorkflowInputError for an unknown one. */
async function withAgent(
  initial: ChatConfig,
  { agent }: SessionConfig,
  agentTypes: AgentTypes,
): Promise<ChatConfig> {
  if (agent === undefined) return initial
  const type = await agentTypes.find(agent)
  if (type === undefined) {
    const known = (await agentTypes.list()).map(({ name }) => name).join(', ')
    throw new WorkflowInputError(
      'agent-type-unknown',
      `--agent ${agent}: there is no such agent type; known: ${known}`,
    )
  }
  return {
    ...initial,
    model: initial.model ?? type.model,
    systemPrompt: initial.systemPrompt ?? type.prompt,
    tools: initial.tools ?? type.tools,
  }
}
