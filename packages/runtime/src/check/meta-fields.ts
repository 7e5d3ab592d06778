import type { JsonObject, JsonValue, PhaseBudget, PhaseMeta, WorkflowMeta } from '@tutti/protocol'
import { memberPath, type Literal } from './meta-literal.ts'
import type { Report } from './problem.ts'

const NAME = /^[A-Za-z0-9._-]{1,64}$/

interface Fields {
  error(path: string, message: string): void
  warn(rule: 'meta-unknown-field' | 'phase-repeated', path: string, message: string): void
}

/** Applies the rules of each field. Undefined when one is broken. */
export function readMeta({ value, offsets }: Literal, report: Report): WorkflowMeta | undefined {
  let failed = false
  const offsetOf = (path: string): number => offsets.get(path) ?? offsets.get('meta') ?? 0
  const fields: Fields = {
    error(path, message) {
      failed = true
      report({ rule: 'meta', severity: 'error', offset: offsetOf(path), message: `${path} ${message}` })
    },
    warn(rule, path, message) {
      report({ rule, severity: 'warning', offset: offsetOf(path), message: `${path} ${message}` })
    },
  }
  if (!isObject(value)) {
    fields.error('meta', `must be an object, not ${kindOf(value)}`)
    return undefined
  }
  const meta = { ...value, ...knownFields(value, fields) }
  for (const key of Object.keys(value)) {
    if (!KNOWN.has(key)) {
      fields.warn('meta-unknown-field', memberPath('meta', key), 'is not a field that is used; it is kept')
    }
  }
  return failed ? undefined : meta
}

const KNOWN: ReadonlySet<string> = new Set(['name', 'description', 'whenToUse', 'phases', 'model', 'args'])

function knownFields(value: JsonObject, fields: Fields): WorkflowMeta {
  const meta: WorkflowMeta = {
    name: readName(value, fields),
    description: readText(value, 'description', fields),
  }
  if (value['whenToUse'] !== undefined) meta.whenToUse = readText(value, 'whenToUse', fields)
  if (value['model'] !== undefined) meta.model = readText(value, 'model', fields)
  if (value['phases'] !== undefined) meta.phases = readPhases(value['phases'], fields)
  const { args } = value
  if (args !== undefined) {
    if (isObject(args)) meta.args = args
    else fields.error('meta.args', `must be a JSON Schema (an object), not ${kindOf(args)}`)
  }
  return meta
}

function readName(value: JsonObject, fields: Fields): string {
  const name = readText(value, 'name', fields)
  if (name !== '' && (!NAME.test(name) || name === '.' || name === '..')) {
    fields.error(
      'meta.name',
      'must be 1 to 64 of A-Z a-z 0-9 . _ - and not . or ..: it becomes part of file names',
    )
  }
  return name
}

function readText(value: JsonObject, key: string, fields: Fields): string {
  const text = value[key]
  const path = `meta.${key}`
  if (text === undefined) fields.error(path, `is missing: add ${key}: '…'`)
  else if (typeof text !== 'string') fields.error(path, `must be a string, not ${kindOf(text)}`)
  else if (text.trim() === '') fields.error(path, 'must not be empty')
  else return text
  return ''
}

function readPhases(value: JsonValue, fields: Fields): PhaseMeta[] {
  const phases = new Map<string, PhaseMeta>()
  if (!Array.isArray(value)) {
    fields.error('meta.phases', `must be an array, not ${kindOf(value)}`)
    return []
  }
  for (const [index, entry] of value.entries()) {
    const path = `meta.phases[${index}]`
    const phase = readPhase(entry, path, fields)
    if (phase === undefined) continue
    const earlier = phases.get(phase.title)
    if (earlier !== undefined) {
      fields.warn(
        'phase-repeated',
        path,
        `repeats the title ${JSON.stringify(phase.title)}; the two are merged`,
      )
    }
    phases.set(phase.title, { ...phase, ...earlier })
  }
  return [...phases.values()]
}

function readPhase(entry: JsonValue, path: string, fields: Fields): PhaseMeta | undefined {
  if (typeof entry === 'string') {
    if (entry.trim() !== '') return { title: entry }
    fields.error(path, 'must not be empty')
    return undefined
  }
  if (!isObject(entry)) {
    fields.error(path, `must be a title or { title, detail?, model? }, not ${kindOf(entry)}`)
    return undefined
  }
  const { title } = entry
  if (typeof title !== 'string' || title.trim() === '') {
    fields.error(title === undefined ? path : `${path}.title`, 'needs a title that is a non-empty string')
    return undefined
  }
  for (const [key, field] of Object.entries(entry)) {
    if (key === 'title' || key === 'budget') continue
    if (key !== 'detail' && key !== 'model') {
      fields.warn('meta-unknown-field', memberPath(path, key), 'is not a field that is used; it is kept')
    } else if (typeof field !== 'string' || field.trim() === '') {
      fields.error(`${path}.${key}`, `must be a non-empty string`)
    }
  }
  const { budget, ...rest } = entry
  if (budget === undefined) return { ...rest, title }
  const read = readBudget(budget, `${path}.budget`, fields)
  return { ...rest, title, ...(read !== undefined && { budget: read }) }
}

const BUDGETS = ['outputTokens', 'tokens', 'costUsd', 'wallMs']

/** A number alone is a budget of output tokens. */
function readBudget(value: JsonValue, path: string, fields: Fields): PhaseBudget | undefined {
  const budget = typeof value === 'number' ? { outputTokens: value } : value
  if (!isObject(budget)) {
    fields.error(
      path,
      `must be a number of output tokens or { ${BUDGETS.map(name => `${name}?`).join(', ')} }`,
    )
    return undefined
  }
  for (const [key, amount] of Object.entries(budget)) {
    if (!BUDGETS.includes(key)) {
      fields.error(path, `has no field "${key.slice(0, 80)}"; there are ${BUDGETS.join(', ')}`)
    } else if (typeof amount !== 'number' || !Number.isFinite(amount) || amount <= 0) {
      fields.error(memberPath(path, key), 'must be a number above 0')
    }
  }
  return budget
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
