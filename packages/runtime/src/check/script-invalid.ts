import { WorkflowInputError } from '../errors/errors.ts'
import { describeFinding } from './format-findings.ts'
import type { Finding } from './types.ts'

/** A refused script, with everything that was found. */
export type ScriptInvalidError = WorkflowInputError & { readonly findings: readonly Finding[] }

/** The error of a refused script: its first error with place and frame, and how many more there are. */
export function scriptInvalid(findings: readonly Finding[], name: string): ScriptInvalidError {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first] = errors
  const lines = first ? [describeFinding(first, name), '', first.frame] : [`${name} is not a valid script`]
  if (errors.length > 1) lines.push('', `and ${errors.length - 1} more`)
  return Object.assign(new WorkflowInputError('script-invalid', lines.join('\n')), { findings })
}
