import { readFileSync } from 'node:fs'
import {
  anything,
  complain,
  count,
  either,
  flag,
  having,
  isObject,
  listOf,
  mapOf,
  oneOf,
  shape,
  text,
  type Check,
  type Place,
} from './shape.ts'
import { agentTable } from './table.ts'
import type { Case } from './types.ts'

/** A case file that is not a case. */
export class CaseError extends Error {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Reads a case; throws CaseError naming every field that is unknown, missing or of the wrong kind. */
export function readCase(file: string): Case {
  const value = parse(file)
  const errors: string[] = []
  caseShape(value, { path: '', errors })
  if (errors.length > 0) throw new CaseError(errors)
  return value as Case
}

const texts = either(
  { when: Array.isArray, check: listOf(text) },
  { when: value => typeof value === 'string', check: text },
)
const word = either(
  { when: value => typeof value === 'number', check: count },
  { when: value => typeof value === 'string', check: text },
)
const someObject = mapOf(anything)
const settled = shape({ settled: listOf(text) })

const runFields: Record<string, Check> = {
  args: anything,
  limits: shape({ agents: count, concurrency: count, scriptCpuMs: count, scriptMemoryMiB: count }),
  agents: agentTable,
  files: mapOf(text),
  dryRun: flag,
  background: flag,
  stop: either(
    { when: having('settled'), check: settled },
    { when: having('afterMs'), check: shape({ afterMs: count }) },
  ),
  skip: text,
  sigkill: either(
    { when: having('settled'), check: settled },
    { when: having('settledCount'), check: shape({ settledCount: count }) },
  ),
}

const expectation = shape({
  status: text,
  degraded: flag,
  pauseCause: text,
  exit: word,
  running: flag,
  result: anything,
  partialResult: anything,
  resultErrorIncludes: texts,
  resultIn: listOf(anything),
  orStatus: texts,
  hostAlive: flag,
  census: mapOf(count),
  failures: listOf(someObject),
  rows: listOf(someObject),
  plan: someObject,
  dispatched: mapOf(count),
  dispatchedTotal: count,
  dispatchedAtMost: count,
  cached: count,
  cachedAtLeast: count,
  maxInFlight: count,
  withinMs: count,
  terminalLines: count,
  errorCode: text,
  messageIncludes: texts,
  inputErrorCode: text,
  filesCreated: count,
  wireOrder: listOf(text),
})

const kinds: Record<string, Check> = {
  launch: shape(runFields),
  resume: shape({ ...runFields, runId: text }),
  stop: shape({}),
}
const stepShape = shape({ ...kinds, expect: expectation }, ['expect'])

function step(value: unknown, at: Place): void {
  stepShape(value, at)
  if (Object.keys(kinds).filter(kind => having(kind)(value)).length !== 1) {
    complain(at, `exactly one of ${Object.keys(kinds).join(', ')} is expected`)
  }
}

const caseShape = shape(
  {
    id: text,
    about: text,
    files: mapOf(text),
    env: mapOf(text),
    needs: oneOf('git'),
    process: flag,
    steps: (value, at) => {
      listOf(step)(value, at)
      if (Array.isArray(value) && value.length === 0) complain(at, 'there is no step')
    },
  },
  ['id', 'about', 'files', 'steps'],
)

function parse(file: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
    if (!isObject(value)) throw new CaseError(['the case: an object is expected'])
    return value
  } catch (error) {
    if (error instanceof CaseError) throw error
    throw new CaseError([error instanceof Error ? error.message : String(error)])
  }
}

/** The environment that a case asks for; nothing when the file is no case. */
export function environmentOf(file: string): Record<string, string> | undefined {
  try {
    return readCase(file).env
  } catch {
    return undefined
  }
}
