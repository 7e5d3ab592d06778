import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonValue } from '@tutti/protocol'
import type { SchemaIssue } from '../ports/agent-executor.ts'
import { pointerPart } from './prepare-schema.ts'

const MAX_ISSUES = 20
const MAX_TEXT = 200

/** What is wrong with a value; empty when nothing is. */
export function schemaIssues(validate: ValidateFunction, value: JsonValue): SchemaIssue[] {
  try {
    const path = notJson(value, '')
    if (path !== undefined) return [{ path, message: 'is no JSON value' }]
    if (validate(value)) return []
  } catch (error) {
    // A schema that refers to itself without end, or a value nested without end.
    if (!(error instanceof RangeError)) throw error
    return [{ path: '', message: 'is nested too deeply to be checked' }]
  }
  const issues = new Map<string, SchemaIssue>()
  for (const error of validate.errors ?? []) {
    if (issues.size === MAX_ISSUES) break
    const issue = { path: error.instancePath, message: describe(error) }
    issues.set(`${issue.path} ${issue.message}`, issue)
  }
  return [...issues.values()]
}

function describe({ message, params }: ErrorObject): string {
  const text = message ?? 'is not valid'
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params
  if (typeof additionalProperty === 'string') return `${text}: ${quote(additionalProperty)}`
  if (typeof unevaluatedProperty === 'string') return `${text}: ${quote(unevaluatedProperty)}`
  if (Array.isArray(allowedValues))
    return `${text}: ${allowedValues.map(quote).join(', ')}`.slice(0, MAX_TEXT)
  return allowedValue === undefined ? text : `${text}: ${quote(allowedValue)}`
}

function quote(value: unknown): string {
  return JSON.stringify(value).slice(0, MAX_TEXT)
}

/** Place of the first thing that JSON cannot hold. */
function notJson(value: unknown, path: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined
  if (typeof value !== 'object') return path
  for (const [key, part] of Object.entries(value)) {
    const found = notJson(part, `${path}/${pointerPart(key)}`)
    if (found !== undefined) return found
  }
  return undefined
}
