import type { JsonValue, SerializedError } from '@tutti/protocol'
import { StructuredOutputError } from '../errors/errors.ts'
import { serializeError } from '../errors/tutti-error.ts'
import type { AgentOutcome } from '../ports/agent-executor.ts'
import type { Delivery } from '../sandbox/types.ts'
import type { Call } from './call.ts'

export interface Settled {
  outcome: AgentOutcome
  tries: number
  /** Output tokens of everything handed over so far. */
  spent: number
}

/** What the script gets for an outcome: `agent()` a value or null, `agent.settled()` the whole story. */
export function deliveryOf(call: Call, { outcome, tries, spent }: Settled): Delivery {
  const { id } = call
  if (call.settled) return { type: 'resolve', id, value: settledValue(outcome, tries), spent }
  if (outcome.status === 'ok') return { type: 'resolve', id, value: outcome.value, spent }
  const error = structuredOutputError(call, outcome)
  return error === undefined
    ? { type: 'resolve', id, value: null, spent }
    : { type: 'reject', id, error, spent }
}

function settledValue(outcome: AgentOutcome, tries: number): JsonValue {
  const { usage, worktree } = outcome
  const common = {
    attempts: tries,
    usage: { ...usage } as unknown as JsonValue,
    ...(worktree && { worktree: { ...worktree } }),
  }
  if (outcome.status === 'ok') {
    return {
      status: 'ok',
      value: outcome.value,
      cause: null,
      message: null,
      ...common,
      lastText: null,
      lastInvalid: null,
    }
  }
  const { cause, message } = outcome
  return {
    status: cause === 'skipped' || cause === 'stopped' ? cause : 'failed',
    value: null,
    cause,
    message,
    ...common,
    lastText: outcome.lastText ?? null,
    lastInvalid: outcome.lastInvalid ?? null,
  }
}

function structuredOutputError(call: Call, outcome: AgentOutcome): SerializedError | undefined {
  if (outcome.status === 'ok') return undefined
  const { cause } = outcome
  if (cause !== 'schema_rejected' && cause !== 'schema_not_called') return undefined
  const issues =
    outcome.lastInvalid === undefined ? [] : (call.validator?.validate(outcome.lastInvalid) ?? [])
  return serializeError(
    new StructuredOutputError(
      cause === 'schema_rejected' ? 'schema-rejected' : 'schema-not-called',
      `agent "${call.label}" gave no valid object: ${outcome.message}`,
      {
        issues: issues as unknown as JsonValue,
        ...(outcome.lastInvalid !== undefined && { lastInvalid: outcome.lastInvalid }),
        ...(outcome.lastText !== undefined && { lastText: outcome.lastText }),
      },
    ),
  )
}
