import type { TurnEnd, TurnOutcome, TurnUsage } from '@tutti/agents/chat'
import type { JsonValue } from '@tutti/protocol'

/** What is reported of a turn in its `result`; one result may stand for several turns. */
export interface Tally {
  readonly startedAt: number
  /** What began it, other than a person. */
  readonly origin?: { kind: string }
  outcome: TurnOutcome
  text: string
  structuredOutput?: JsonValue
  stopReason: string | null
  errors: string[]
  answers: number
  apiMs: number
  usage: Record<string, TurnUsage>
  denials: TurnEnd['denials']
}

export function createTally(startedAt: number, origin?: { kind: string }): Tally {
  return {
    startedAt,
    ...(origin !== undefined && { origin }),
    outcome: 'success',
    text: '',
    stopReason: null,
    errors: [],
    answers: 0,
    apiMs: 0,
    usage: {},
    denials: [],
  }
}

/** The last turn decides how it ended; what was spent adds up. */
export function addTurn(tally: Tally, end: TurnEnd): void {
  tally.outcome = end.outcome
  tally.errors = end.errors
  tally.stopReason = end.stopReason
  if (end.text !== '') tally.text = end.text
  if (end.structuredOutput !== undefined) tally.structuredOutput = end.structuredOutput
  tally.answers += end.answers
  tally.apiMs += end.apiMs
  tally.denials = [...tally.denials, ...end.denials]
  for (const [model, usage] of Object.entries(end.usage)) addUsage(tally.usage, model, usage)
}

/** A turn, or a part of one, that no model took part in. */
export function addLocalTurn(tally: Tally, text: string): void {
  tally.outcome = 'success'
  tally.errors = []
  tally.text = text
}

export function addFailure(tally: Tally, message: string): void {
  tally.outcome = 'error_during_execution'
  tally.errors = [message]
}

export function addInterruption(tally: Tally, reason: string): void {
  tally.outcome = 'interrupted'
  tally.errors = [reason]
}

export function addUsage(sums: Record<string, TurnUsage>, model: string, usage: TurnUsage): void {
  const before = Object.hasOwn(sums, model) ? sums[model] : undefined
  sums[model] =
    before === undefined
      ? { ...usage }
      : {
          input: before.input + usage.input,
          output: before.output + usage.output,
          cacheRead: before.cacheRead + usage.cacheRead,
          cacheWrite: before.cacheWrite + usage.cacheWrite,
          reasoning: (before.reasoning ?? 0) + (usage.reasoning ?? 0),
          costUsd: before.costUsd === null || usage.costUsd === null ? null : before.costUsd + usage.costUsd,
        }
}
