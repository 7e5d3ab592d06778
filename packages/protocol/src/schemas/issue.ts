import type { z } from 'zod'
import { OTHER_KIND } from './open-union.ts'

/** One thing that is wrong with a value. */
export interface Issue {
  /** Keys and array positions from the root; empty for the value itself. */
  path: (string | number)[]
  message: string
}

type Path = (string | number)[]

/** One failed variant of a union. */
interface Variant {
  issues: Issue[]
  /** The value is of another kind than this variant speaks of. */
  otherKind: boolean
}

/** A zod issue as plain ones; of a union's variants only the one that was meant speaks. */
export function flattenIssue(issue: z.core.$ZodIssue, above: Path = []): Issue[] {
  const path = [...above, ...issue.path.map(part => (typeof part === 'symbol' ? String(part) : part))]
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [{ path, message: issue.message }]
  const variants = issue.errors.map(errors => readVariant(errors, path))
  const candidates = variants.filter(variant => !variant.otherKind)
  const meant = (candidates.length > 0 ? candidates : variants).sort((a, b) => depth(b) - depth(a))[0]
  if (meant === undefined) return [{ path, message: issue.message }]
  if (candidates.length === 1 || depth(meant) > path.length) return meant.issues
  return [{ path, message: expectation(issue.errors) ?? issue.message }]
}

function readVariant(errors: readonly z.core.$ZodIssue[], path: Path): Variant {
  return { issues: errors.flatMap(error => flattenIssue(error, path)), otherKind: errors.some(isOtherKind) }
}

function isOtherKind(issue: z.core.$ZodIssue): boolean {
  return issue.message === OTHER_KIND || (issue.code === 'invalid_union' && issue.errors.length === 0)
}

function depth(variant: Variant): number {
  return Math.max(0, ...variant.issues.map(issue => issue.path.length))
}

/** `expected string or number`, when that is all there is to say. */
function expectation(variants: readonly z.core.$ZodIssue[][]): string | undefined {
  const kinds = variants.map(([first]) => (first?.code === 'invalid_type' ? first.expected : undefined))
  return kinds.includes(undefined) ? undefined : `expected ${kinds.join(' or ')}`
}
