import type { JsonObject } from '@tutti/protocol'
import type { Expectation } from '../case/types.ts'
import type { StepOutcome } from '../steps/outcome.ts'
import { sameJson } from './equal.ts'
import { named, namedFields } from './named-fields.ts'

/** Two values that are equal exactly when the expectation holds, chosen to be read side by side. */
interface Comparison {
  wanted: unknown
  actual: unknown
}

interface Judged {
  expect: Expectation
  outcome: StepOutcome
}

/** How each field of an expectation is judged. */
export const expectations: Record<keyof Expectation, (judged: Judged) => Comparison> = {
  status: plain('status'),
  degraded: plain('degraded'),
  pauseCause: plain('pauseCause'),
  exit: plain('exit'),
  running: plain('running'),
  result: plain('result'),
  partialResult: plain('partialResult'),
  hostAlive: plain('hostAlive'),
  terminalLines: plain('terminalLines'),
  cached: plain('cached'),
  filesCreated: plain('filesCreated'),
  resultErrorIncludes: ({ expect, outcome }) => includes(expect.resultErrorIncludes, outcome.resultError),
  resultIn: ({ expect, outcome }) => {
    const holds = isOneOf(expect.orStatus, outcome.status) || isOneOf(expect.resultIn, outcome.result)
    return { wanted: { oneOf: expect.resultIn }, actual: holds ? { oneOf: expect.resultIn } : outcome.result }
  },
  orStatus: ({ expect, outcome }) => {
    const holds = expect.resultIn !== undefined || isOneOf(expect.orStatus, outcome.status)
    return { wanted: expect.orStatus, actual: holds ? expect.orStatus : outcome.status }
  },
  census: ({ expect, outcome }) => fields(expect.census, outcome.census),
  plan: ({ expect, outcome }) => fields(expect.plan, outcome.plan),
  failures: ({ expect, outcome }) => entries(expect.failures, outcome.failures),
  rows: ({ expect, outcome }) => entries(expect.rows, outcome.rows),
  dispatched: ({ expect, outcome }) => ({
    wanted: withoutZeros(expect.dispatched),
    actual: outcome.dispatched,
  }),
  dispatchedTotal: ({ expect, outcome }) => ({ wanted: expect.dispatchedTotal, actual: total(outcome) }),
  dispatchedAtMost: ({ expect, outcome }) => bound('<=', expect.dispatchedAtMost, total(outcome)),
  cachedAtLeast: ({ expect, outcome }) => bound('>=', expect.cachedAtLeast, outcome.cached),
  maxInFlight: ({ expect, outcome }) => bound('<=', expect.maxInFlight, outcome.maxInFlight),
  withinMs: ({ expect, outcome }) => bound('<=', expect.withinMs, Math.round(outcome.wallMs)),
  errorCode: ({ expect, outcome }) => ({ wanted: expect.errorCode, actual: complaint(outcome)?.code }),
  messageIncludes: ({ expect, outcome }) => includes(expect.messageIncludes, complaint(outcome)?.message),
  inputErrorCode: ({ expect, outcome }) => ({ wanted: expect.inputErrorCode, actual: outcome.refusal?.code }),
  wireOrder: ({ expect, outcome }) => inOrder(expect.wireOrder ?? [], outcome.wire),
}

type PlainField = keyof Expectation & keyof StepOutcome

function plain(field: PlainField): (judged: Judged) => Comparison {
  return ({ expect, outcome }) => ({ wanted: expect[field], actual: outcome[field] })
}

function fields(wanted: JsonObject | undefined, actual: JsonObject | undefined): Comparison {
  return { wanted, actual: actual && namedFields(wanted ?? {}, actual) }
}

function entries(wanted: JsonObject[] | undefined, actual: JsonObject[] | undefined): Comparison {
  return { wanted, actual: named(wanted, actual) }
}

/** Holds when the text has every part. */
function includes(parts: string | string[] | undefined, whole: string | undefined): Comparison {
  const missing = [parts ?? []].flat().filter(part => whole?.includes(part) !== true)
  return {
    wanted: { includes: parts },
    actual: missing.length === 0 ? { includes: parts } : { missing, in: whole },
  }
}

function bound(sign: '<=' | '>=', limit: number | undefined, actual: number): Comparison {
  const holds = limit !== undefined && (sign === '<=' ? actual <= limit : actual >= limit)
  return { wanted: `${sign} ${limit}`, actual: holds ? `${sign} ${limit}` : actual }
}

/** Holds when the words occur in this order, others between them or not. */
function inOrder(wanted: string[], frames: string[] | undefined): Comparison {
  let found = 0
  for (const frame of frames ?? []) if (frame === wanted[found]) found += 1
  return { wanted, actual: found === wanted.length ? wanted : frames }
}

function isOneOf(list: unknown, value: unknown): boolean {
  return list !== undefined && [list].flat().some(entry => sameJson(entry, value) && value !== undefined)
}

function withoutZeros(counts: Record<string, number> | undefined): Record<string, number> {
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, number]) => number > 0))
}

function total(outcome: StepOutcome): number {
  return Object.values(outcome.dispatched).reduce((sum, number) => sum + number, 0)
}

function complaint(outcome: StepOutcome): StepOutcome['error'] {
  return outcome.refusal ?? outcome.error
}
