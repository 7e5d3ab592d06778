import { WorkflowInputError } from '@tutti/runtime'
import type { SettingsLayer } from './settings-source.ts'

interface Variable {
  name: string
  /** Path of the setting. */
  path: readonly string[]
  read(text: string): unknown
  /** Said when `read` gives undefined. */
  expected: string
}

/** Variables that override settings. Of two with the same path the later one here wins. */
const VARIABLES: readonly Variable[] = [
  { name: 'TUTTI_MODEL', path: ['model'], ...text() },
  { name: 'TUTTI_BACKEND', path: ['tutti', 'backend'], ...text() },
  { name: 'CLAUDE_CODE_WORKFLOW_MAX_CONCURRENT_AGENTS', path: ['tutti', 'concurrency'], ...whole(1) },
  { name: 'TUTTI_MAX_CONCURRENT_AGENTS', path: ['tutti', 'concurrency'], ...whole(1) },
  { name: 'TUTTI_STALL_MS', path: ['tutti', 'stallMs'], ...whole(0) },
  { name: 'TUTTI_TIMEOUT_MS', path: ['tutti', 'timeoutMs'], ...whole(0) },
  { name: 'TUTTI_RETRIES', path: ['tutti', 'retries'], ...whole(0) },
  { name: 'TUTTI_CACHE', path: ['tutti', 'cache'], ...oneOf('auto', 'content', 'never') },
  { name: 'TUTTI_LAYOUT', path: ['tutti', 'layout'], ...oneOf('session', 'claude-code') },
  { name: 'TUTTI_DIALECT', path: ['tutti', 'dialect'], ...oneOf('auto', 'codebuddy', 'claude-code') },
  { name: 'CODEBUDDY_DISABLE_WORKFLOWS', path: ['disableWorkflows'], ...toggle() },
  { name: 'CLAUDE_CODE_DISABLE_WORKFLOWS', path: ['disableWorkflows'], ...toggle() },
  { name: 'TUTTI_DISABLE_WORKFLOWS', path: ['disableWorkflows'], ...toggle() },
]

/** Names of all variables that override settings. */
export const SETTING_VARIABLES: readonly string[] = VARIABLES.map(({ name }) => name)

/** One layer per variable that is set. Empty ones count as not set. Throws WorkflowInputError. */
export function environmentLayers(env: NodeJS.ProcessEnv): SettingsLayer[] {
  return VARIABLES.flatMap(({ name, path, read, expected }) => {
    const given = env[name]?.trim()
    if (!given) return []
    const value = read(given)
    if (value === undefined) {
      const hint = `Set it to ${expected}, or unset it.`
      const shown = JSON.stringify(given.slice(0, 80))
      throw new WorkflowInputError(
        'settings-invalid',
        `The environment variable ${name} is ${shown}. ${hint}`,
        { hint },
      )
    }
    return [{ source: 'env' as const, place: name, values: nested(path, value) }]
  })
}

function nested(path: readonly string[], value: unknown): Record<string, unknown> {
  const [key = '', ...rest] = path
  return { [key]: rest.length === 0 ? value : nested(rest, value) }
}

type Reading = Pick<Variable, 'read' | 'expected'>

function text(): Reading {
  return { read: given => given, expected: 'a name' }
}

function whole(least: number): Reading {
  const read = (given: string): number | undefined => {
    const value = /^\d{1,12}$/.test(given) ? Number(given) : -1
    return value >= least ? value : undefined
  }
  return { read, expected: `a whole number from ${least}` }
}

function oneOf(...values: string[]): Reading {
  return { read: given => (values.includes(given) ? given : undefined), expected: values.join(', ') }
}

function toggle(): Reading {
  const words = new Map([
    ['1', true],
    ['true', true],
    ['0', false],
    ['false', false],
  ])
  return { read: given => words.get(given.toLowerCase()), expected: '1 or 0' }
}
