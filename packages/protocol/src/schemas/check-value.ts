import type { z } from 'zod'
import type { Settings } from '../settings.ts'
import { SettingsSchema } from './settings.ts'
import { flattenIssue, type Issue } from './issue.ts'

export type Checked<T> = { ok: true; value: T } | { ok: false; issues: Issue[] }

/** Checks a settings object; unknown keys are kept. Never throws. */
export function checkSettings(value: unknown): Checked<Settings> {
  return checkValue(SettingsSchema, value)
}

/** Checks any value against one of the schemas. Never throws, whatever the value is. */
export function checkValue<T>(schema: z.ZodType<T>, value: unknown): Checked<T> {
  try {
    const checked = schema.safeParse(value)
    if (checked.success) return { ok: true, value: checked.data }
    return { ok: false, issues: checked.error.issues.flatMap(issue => flattenIssue(issue)) }
  } catch {
    // Recursive shapes nested deep enough exhaust the stack; getters of odd objects may throw.
    return { ok: false, issues: [{ path: [], message: 'cannot be read, or is nested too deeply' }] }
  }
}

/** `tutti.prices.opus.input`, `phases[2].title`; `(root)` for the value itself. */
export function pathText(path: readonly (string | number)[]): string {
  const text = path.map(part => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text === '' ? '(root)' : text.replace(/^\./, '')
}
