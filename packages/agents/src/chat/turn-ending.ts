import type { Cause } from '@tutti/protocol'
import type { Endpoint } from '../model/endpoint.ts'
import { NUDGE, STRUCTURED_OUTPUT } from '../model/structured-output.ts'
import type { Asked } from './ask-model.ts'
import { assistantMessageOf } from './assistant-message.ts'
import { INTERRUPTED } from './complete-history.ts'
import type { Ending, Progress, TurnParts } from './turn-progress.ts'
import type { ChatConfig, TurnEnd } from './types.ts'

/** No further request is begun. */
export function limitReached(
  { asker }: TurnParts,
  { answers }: Progress,
  { maxTurns, maxBudgetUsd }: ChatConfig,
): Ending | undefined {
  if (maxTurns !== undefined && answers >= maxTurns)
    return {
      outcome: 'error_max_turns',
      cause: 'max_turns',
      error: `not done after ${answers} answers of the model`,
    }
  const { spentUsd } = asker.ledger
  if (maxBudgetUsd !== undefined && spentUsd >= maxBudgetUsd)
    return {
      outcome: 'error_max_budget_usd',
      error: `$${spentUsd.toFixed(4)} were spent of at most $${maxBudgetUsd}`,
    }
  return undefined
}

/** Said once to a model that ended without its object. */
export function withoutObject({ history }: TurnParts, progress: Progress): Ending | undefined {
  if (progress.nudged)
    return {
      outcome: 'error_max_structured_output_retries',
      cause: 'schema_not_called',
      error: `the model did not call ${STRUCTURED_OUTPUT}, also when told to`,
    }
  progress.nudged = true
  progress.force = true
  history.add({ role: 'user', content: NUDGE })
  return undefined
}

/** What was already said of an answer that was stopped is kept; tools it began to ask for are not used. */
export function brokenOff(parts: TurnParts, { id, turn, modelId }: Asked): Ending {
  const { history, stage, endpoint, hide } = parts
  const { wire } = endpoint
  const texts = turn.parts.filter(part => part.type === 'text')
  const message = assistantMessageOf({ id, turn: { ...turn, parts: texts }, modelId, wire, hide })
  if (message.content.length > 0) {
    history.add({ role: 'assistant', content: message.content })
    stage.emit({ type: 'assistant', message: { ...message, stop_reason: null } })
  }
  return interrupted(parts)
}

/** The history says so, too. */
export function interrupted({ history }: TurnParts): Ending {
  history.add({ role: 'user', content: INTERRUPTED })
  return { outcome: 'interrupted' }
}

/** With what to do about it. */
export function explained(
  { cause, message }: { cause: Cause; message: string },
  { credentialName }: Endpoint,
): string {
  if (cause === 'auth') return `${message}; check ${credentialName}`
  if (cause !== 'context_overflow') return message
  return `${message}; the conversation has become too long for the model, also without what older tools returned: begin a new one, or choose a model with a larger context window`
}

export function endOf({ redact }: TurnParts, progress: Progress, ending: Ending): TurnEnd {
  const { text, stopReason, answers, apiMs, usage, denials } = progress
  const { outcome, cause, error, value } = ending
  return {
    outcome,
    text: text === '' && value !== undefined ? JSON.stringify(value) : text,
    ...(value !== undefined && { structuredOutput: value }),
    stopReason,
    ...(cause !== undefined && { cause }),
    errors: error === undefined ? [] : [redact(error)],
    answers,
    apiMs,
    usage: Object.fromEntries(usage),
    denials,
  }
}
