import type { JsonObject } from '@tutti/protocol'
import { asObject, asText } from '../json-fields.ts'

/** What all hooks of one event say together. */
export interface HookVerdict {
  /** `continue: false`: everything ends here, for this reason. */
  stop?: string
  /** `decision: "block"`, and its reason. */
  block?: string
  /** The strictest that any of them gave. */
  permission?: { decision: 'allow' | 'deny' | 'ask'; reason?: string }
  updatedInput?: JsonObject
  /** Answer of the first hook that decided a question about a tool. */
  answer?: JsonObject
  /** What the model is to hear, in the order of the hooks. */
  context: string[]
  /** What people are to hear. */
  messages: string[]
}

const STRICTNESS = ['allow', 'ask', 'deny'] as const

/** Folds the outputs of hooks, in their order, into one verdict. Fields of the wrong kind count as absent. */
export function readHookOutputs(outputs: readonly JsonObject[]): HookVerdict {
  const verdict: HookVerdict = { context: [], messages: [] }
  for (const output of outputs) readOutput(output, verdict)
  return verdict
}

/** An empty verdict: no hook had anything to say. */
export function noVerdict(): HookVerdict {
  return { context: [], messages: [] }
}

function readOutput(output: JsonObject, verdict: HookVerdict): void {
  // An answer that comes later has no say.
  if (output['async'] === true) return
  const reason = asText(output['reason'])
  if (output['continue'] === false)
    verdict.stop ??= asText(output['stopReason']) ?? reason ?? 'a hook ended the turn'
  if (output['decision'] === 'block') verdict.block ??= reason ?? 'a hook blocked it'
  const message = asText(output['systemMessage'])
  if (message !== undefined) verdict.messages.push(message)
  if (output['decision'] === 'approve') permit(verdict, 'allow', reason)
  const specific = asObject(output['hookSpecificOutput'])
  if (specific === undefined) return
  const context = asText(specific['additionalContext'])
  if (context !== undefined && context !== '') verdict.context.push(context)
  verdict.updatedInput = asObject(specific['updatedInput']) ?? verdict.updatedInput
  const answer = asObject(specific['decision'])
  if (answer !== undefined) verdict.answer ??= answer
  const decision = STRICTNESS.find(known => known === specific['permissionDecision'])
  if (decision !== undefined)
    permit(verdict, decision, asText(specific['permissionDecisionReason']) ?? reason)
}

function permit(verdict: HookVerdict, decision: 'allow' | 'deny' | 'ask', reason: string | undefined): void {
  const before = verdict.permission
  if (before !== undefined && STRICTNESS.indexOf(before.decision) >= STRICTNESS.indexOf(decision)) return
  verdict.permission = { decision, ...(reason !== undefined && { reason }) }
}
