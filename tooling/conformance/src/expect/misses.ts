import type { Expectation } from '../case/types.ts'
import type { StepOutcome } from '../steps/outcome.ts'
import { sameJson } from './equal.ts'
import { expectations } from './expectations.ts'

/** One expectation that does not hold. `actual` absent: there is nothing of the kind. */
export interface Miss {
  field: string
  wanted: unknown
  actual?: unknown
}

/** What of the expectation does not hold, in the order in which it was named; then what is wrong besides. */
export function findMisses(expect: Expectation, outcome: StepOutcome): Miss[] {
  const named = Object.keys(expect) as (keyof Expectation)[]
  const misses = named.flatMap(field => {
    const { wanted, actual } = expectations[field]({ expect, outcome })
    return sameJson(wanted, actual) ? [] : [{ field, wanted, actual }]
  })
  return [...misses, ...unexpectedRefusal(expect, outcome), ...outcome.problems.map(problem)]
}

const REFUSAL_FIELDS = ['inputErrorCode', 'errorCode', 'messageIncludes', 'exit', 'orStatus'] as const

/** A step that was refused although nothing says that it would be. */
function unexpectedRefusal(expect: Expectation, outcome: StepOutcome): Miss[] {
  if (!outcome.refusal || REFUSAL_FIELDS.some(field => expect[field] !== undefined)) return []
  return [{ field: 'refusal', wanted: 'none', actual: outcome.refusal }]
}

function problem(message: string): Miss {
  return { field: 'problem', wanted: 'none', actual: message }
}
