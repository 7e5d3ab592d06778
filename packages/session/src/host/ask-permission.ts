import type { ChatPermissionAnswer, ChatPermissionQuestion } from '@tutti/agents/chat'
import type { JsonObject, JsonValue } from '@tutti/protocol'
import type { PermissionAnswer, Random } from '@tutti/runtime'
import { syntheticToolUseId } from '../launch-result.ts'
import type { AgentPermissionQuestion, LaunchAnswer, LaunchQuestion } from '../workflow/types.ts'
import type { Scrubber } from '../output/secrets.ts'
import type { Hooks } from './hooks.ts'
import { readPermissionAnswer } from './permission-answer.ts'
import { allowsForGood } from './kept-rule.ts'
import { addedRule, suggestionsFor } from './permission-suggestions.ts'

/** Asks whoever decides about tools in this session. */
export interface AskPermission {
  /** Somebody can be asked now. */
  readonly possible: boolean
  /** For the conversation. */
  tool(question: ChatPermissionQuestion): Promise<ChatPermissionAnswer>
  /** For a workflow that is about to start. */
  launch(question: LaunchQuestion): Promise<LaunchAnswer>
  /** For an agent of a workflow. */
  agent(question: AgentPermissionQuestion): Promise<PermissionAnswer>
}

/** One way to ask: over the wire, or by a tool that answers. */
export interface PermissionChannel {
  readonly open: boolean
  /** The answer as it came. Rejects when there is none. */
  ask(question: JsonObject, signal: AbortSignal): Promise<JsonObject>
}

export interface AskPermissionOptions {
  channel: PermissionChannel
  hooks: Hooks
  random: Random
  scrub: Scrubber
  /** Hears `updatedPermissions` of an answer; those about a tool of the conversation are the chat's. */
  onUpdates(updates: readonly JsonValue[]): void
}

export function createAskPermission(options: AskPermissionOptions): AskPermission {
  const { channel, hooks, random, scrub, onUpdates } = options

  const ask = async (question: Question, signal: AbortSignal): Promise<ChatPermissionAnswer> => {
    const { tool_name: tool, input } = question
    const occasion = { about: tool, toolUseId: question.tool_use_id, signal }
    const verdict = await hooks.run('PermissionRequest', {
      ...occasion,
      input: {
        tool_name: tool,
        tool_input: input,
        permission_suggestions: question.permission_suggestions,
      },
    })
    if (verdict.answer !== undefined) return readPermissionAnswer(verdict.answer)
    void hooks.run('Notification', {
      about: 'permission_prompt',
      input: { message: `${tool} needs your permission`, notification_type: 'permission_prompt' },
    })
    try {
      const answer = readPermissionAnswer(await channel.ask(question, signal))
      return answer.allowed ? withoutEcho(answer, scrub.value(input)) : answer
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { allowed: false, reason: `nobody allowed it: ${reason}` }
    }
  }

  return {
    get possible() {
      return channel.open
    },
    tool({ toolName, toolUseId, input, reason, signal }) {
      const question = {
        tool_name: toolName,
        input,
        tool_use_id: toolUseId,
        permission_suggestions: suggestionsFor(toolName, input),
        decision_reason: reason,
      }
      return ask(question, signal)
    },
    async launch({ toolUseId, input, workflowName, description, phases, script, signal }) {
      const question = {
        tool_name: 'Workflow',
        input,
        tool_use_id: toolUseId,
        permission_suggestions: [addedRule('Workflow', workflowName, 'localSettings')],
        title: `Start the workflow ${workflowName}?`,
        description,
        workflow_name: workflowName,
        phases,
        script,
      }
      const answer = await ask(question, signal)
      if (!answer.allowed) return { allowed: false, reason: answer.reason }
      onUpdates(answer.updatedPermissions ?? [])
      return {
        allowed: true,
        remember: allowsForGood(answer.updatedPermissions, 'Workflow'),
        ...(answer.updatedInput !== undefined && { updatedInput: answer.updatedInput }),
      }
    },
    async agent({ toolName, input, agent, runId, taskId, workflowToolUseId, reason, signal }) {
      if (!channel.open) return { allowed: false, reason: 'nobody is there to ask', source: 'nobody' }
      const question = {
        tool_name: toolName,
        input,
        tool_use_id: syntheticToolUseId(random),
        permission_suggestions: suggestionsFor(toolName, input),
        ...(reason !== undefined && { decision_reason: reason }),
        agent_id: agent.label,
        agent: { ...agent },
        run_id: runId,
        ...(taskId !== undefined && { task_id: taskId }),
        ...(workflowToolUseId !== undefined && { parent_tool_use_id: workflowToolUseId }),
      }
      const answer = await ask(question, signal)
      if (answer.allowed) onUpdates(answer.updatedPermissions ?? [])
      return answer.allowed
        ? { allowed: true, reason: 'it was allowed' }
        : { allowed: false, reason: answer.reason }
    },
  }
}

type Consent = ChatPermissionAnswer & { allowed: true }

/** Many hosts give back the input as they were shown it: without its secrets. It stays what it was. */
function withoutEcho(answer: Consent, shown: JsonObject): Consent {
  const { updatedInput, ...rest } = answer
  return JSON.stringify(updatedInput) === JSON.stringify(shown) ? rest : answer
}

interface Question extends JsonObject {
  tool_name: string
  input: JsonObject
  tool_use_id: string
  permission_suggestions: JsonValue[]
}
