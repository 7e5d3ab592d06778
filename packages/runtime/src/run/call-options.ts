import type { JsonObject, JsonValue } from '@tutti/protocol'
import { WorkflowInputError } from '../errors/errors.ts'
import type { CacheMode } from './types.ts'

/** Extra tries of one call. */
export interface RetryOption {
  /** Absent: as many as the cause is worth. */
  max?: number
  /** Each goes on with the conversation of the one before it, where the backend can. */
  continue?: boolean
}

/** Options of one `agent()` call, checked. */
export interface CallOptions {
  label?: string
  phase?: string
  schema?: JsonObject
  model?: string
  effort?: string
  agentType?: string
  tools?: string[]
  maxTurns?: number
  isolation?: 'worktree' | { from: string | JsonObject }
  cwd?: string
  backend?: string
  timeoutMs?: number
  stallMs?: number
  retries?: number | RetryOption
  cache?: CacheMode
}

type Rule = { expected: string; holds: (value: JsonValue) => boolean }

const text: Rule = { expected: 'a non-empty string', holds: v => typeof v === 'string' && v.trim() !== '' }
const count: Rule = { expected: 'a whole number of at least 1', holds: v => isWhole(v, 1) }
const countOrZero: Rule = { expected: 'a whole number of at least 0', holds: v => isWhole(v, 0) }

const RULES: Record<keyof CallOptions, Rule> = {
  label: text,
  phase: text,
  schema: { expected: 'a JSON Schema object', holds: isObject },
  model: text,
  effort: oneOf('low', 'medium', 'high', 'xhigh', 'max'),
  agentType: text,
  tools: { expected: 'a list of tool names', holds: v => Array.isArray(v) && v.every(text.holds) },
  maxTurns: count,
  isolation: {
    expected:
      '"worktree", or { from } with the label of an earlier agent or what agent.settled() gave for it',
    holds: v => v === 'worktree' || (isObject(v) && hasOnly(v, ['from']) && isSource(v['from'])),
  },
  cwd: {
    expected: 'a relative path below the project root',
    holds: v => typeof v === 'string' && text.holds(v) && isBelow(v),
  },
  backend: text,
  timeoutMs: count,
  stallMs: countOrZero,
  retries: {
    expected: 'a whole number of at least 0, or { max, continue } with such a number and true or false',
    holds: v => countOrZero.holds(v) || (isObject(v) && isRetryOption(v)),
  },
  cache: oneOf('auto', 'content', 'never'),
}

/** Throws WorkflowInputError for a prompt or an option that an agent cannot be called with. */
export function parseCall(
  prompt: string | null,
  options: JsonValue,
): { prompt: string; options: CallOptions } {
  if (prompt === null || prompt.trim() === '') {
    throw new WorkflowInputError('option-invalid', 'agent(): the prompt must be a non-empty string')
  }
  if (!isObject(options)) {
    throw new WorkflowInputError('option-invalid', 'agent(): the options must be an object')
  }
  const known = Object.keys(RULES)
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(RULES, name) ? RULES[name as keyof CallOptions] : undefined
    if (rule === undefined) {
      throw new WorkflowInputError(
        'option-invalid',
        `agent(): there is no option "${name.slice(0, 80)}"; the options are ${known.join(', ')}`,
      )
    }
    if (!rule.holds(value)) {
      const got = JSON.stringify(value).slice(0, 80)
      throw new WorkflowInputError(
        'option-invalid',
        `agent(): option "${name}" must be ${rule.expected}, not ${got}`,
      )
    }
  }
  return { prompt, options }
}

function oneOf(...words: string[]): Rule {
  return {
    expected: `one of ${words.map(word => `"${word}"`).join(', ')}`,
    holds: value => typeof value === 'string' && words.includes(value),
  }
}

function isSource(value: JsonValue | undefined): boolean {
  return value !== undefined && (text.holds(value) || isObject(value))
}

function isRetryOption(value: JsonObject): boolean {
  const { max, continue: goOn } = value
  if (!hasOnly(value, ['max', 'continue']) || Object.keys(value).length === 0) return false
  return (max === undefined || countOrZero.holds(max)) && (goOn === undefined || typeof goOn === 'boolean')
}

function hasOnly(value: JsonObject, names: string[]): boolean {
  return Object.keys(value).every(name => names.includes(name))
}

function isWhole(value: JsonValue, least: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Decided on the text alone: the backend decides again on the file system. */
function isBelow(path: string): boolean {
  if (/^([/\\]|[A-Za-z]:)/.test(path) || path.includes('\0')) return false
  return !path.split(/[/\\]/).includes('..')
}
