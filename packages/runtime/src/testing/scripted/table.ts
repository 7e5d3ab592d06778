import { CAUSES, type Cause, type Effects, type JsonObject, type JsonValue } from '@tutti/protocol'
import { WorkflowInputError } from '../../errors/errors.ts'

/** What surrounds the end of a scripted agent. */
export interface ScriptedCourse {
  /** Milliseconds from its start to its end; absent or 0: at once. */
  afterMs?: number
  /** A sign of life this often while it waits. */
  eventEveryMs?: number
  /** Text streamed before the end. */
  partial?: string
  outputTokens?: number
  /** Default `unknown`. */
  effects?: Effects
  /** The conversation can be continued under this id. */
  session?: string
}

/** What a scripted agent does at one dispatch. */
export type ScriptedBehaviour = ScriptedCourse &
  (
    | { ok: JsonValue }
    /** Hands over the prompt, or what it was told to go on with its conversation. */
    | { echo: true }
    /** Hands over the model of the call, null without one. */
    | { reportModel: true }
    | { die: Cause; message?: string }
    /** Ends only when its signal is aborted. */
    | { hang: true }
    /** Submits `invalid` so often, then goes on as `then`; without one it ends with `schema_rejected`. */
    | { invalid: JsonValue; times: number; then?: ScriptedBehaviour }
    /** Fails the first `times` tries of the call, then goes on as `then`. */
    | { transient: Cause; times: number; then: ScriptedBehaviour }
  )

/** Label → what its agents do; a list has one entry per dispatch; `*` is any other label. */
export type ScriptedTable = Record<string, ScriptedBehaviour | ScriptedBehaviour[]>

const KINDS = ['ok', 'echo', 'reportModel', 'die', 'hang', 'invalid', 'transient']
const EFFECTS = ['none', 'isolated', 'yes', 'unknown']

/** Checks a table of unknown origin. Throws WorkflowInputError `option-invalid` naming the entry; `source` is for the message. */
export function parseScriptedTable(value: unknown, source: string): ScriptedTable {
  if (!isObject(value)) throw invalid(source, 'the table must be an object from labels to behaviours')
  for (const [label, entry] of Object.entries(value)) {
    if (!Array.isArray(entry)) checkBehaviour(entry, `${source}: "${label}"`)
    else entry.forEach((one, i) => checkBehaviour(one, `${source}: "${label}"[${i}]`))
  }
  return value as unknown as ScriptedTable
}

function checkBehaviour(value: unknown, where: string): void {
  if (!isObject(value)) throw invalid(where, 'a behaviour must be an object')
  const kinds = KINDS.filter(kind => kind in value)
  if (kinds.length !== 1) throw invalid(where, `a behaviour has exactly one of ${KINDS.join(', ')}`)
  for (const name of ['afterMs', 'eventEveryMs', 'outputTokens', 'times']) {
    if (name in value && !isCount(value[name])) throw invalid(where, `${name} must be a number from 0`)
  }
  for (const name of ['die', 'transient']) {
    if (name in value && !(CAUSES as readonly unknown[]).includes(value[name])) {
      throw invalid(where, `${name} must be one of ${CAUSES.join(', ')}`)
    }
  }
  for (const name of ['partial', 'message', 'session']) {
    if (name in value && typeof value[name] !== 'string') throw invalid(where, `${name} must be a string`)
  }
  if ('effects' in value && !EFFECTS.includes(value.effects as string)) {
    throw invalid(where, `effects must be one of ${EFFECTS.join(', ')}`)
  }
  if (('invalid' in value || 'transient' in value) && !('times' in value))
    throw invalid(where, 'times is missing')
  if ('transient' in value && !('then' in value)) throw invalid(where, 'then is missing')
  if ('then' in value) checkBehaviour(value.then, `${where}.then`)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function invalid(where: string, what: string): WorkflowInputError {
  return new WorkflowInputError('option-invalid', `${where}: ${what}`)
}
