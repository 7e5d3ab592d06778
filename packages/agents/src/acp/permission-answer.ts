import type {
  PermissionOptionKind,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk'
import type { JsonObject } from '@tutti/protocol'
import type { Ruling } from '../permission/gatekeeper.ts'
import type { Asking, Decide } from './permission.ts'
import { toolQuestion } from './tool-question.ts'

export interface AnswerOptions {
  decide: Decide
  asking: Asking
  /** Records each decision about a tool and what it was to be used for. */
  note(input: JsonObject, ruling: Ruling): void
}

/** Answers an agent that asks whether it may use a tool; never for more than this once. */
export async function permissionAnswer(
  { toolCall, options }: RequestPermissionRequest,
  { decide, asking, note }: AnswerOptions,
): Promise<RequestPermissionResponse> {
  const question = toolQuestion(toolCall)
  const { allowed, reason, source = 'rule' } = await decide(question, asking)
  note(question.input, { tool: question.tool, allowed, source, reason })
  const kinds: PermissionOptionKind[] = allowed
    ? ['allow_once', 'allow_always']
    : ['reject_once', 'reject_always']
  const option = kinds.map(kind => options.find(one => one.kind === kind)).find(one => one !== undefined)
  return { outcome: option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' } }
}
