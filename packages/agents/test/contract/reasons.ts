import type { ConformanceCase } from '../../src/conformance/index.ts'

/** For what reaches no server. */
export const NO_ENDPOINT: Partial<Record<ConformanceCase, string>> = reasons(
  ['429 storm', '529', 'auth', 'quota'],
  'it talks to no endpoint',
)

export function reasons(cases: ConformanceCase[], reason: string): Partial<Record<ConformanceCase, string>> {
  return Object.fromEntries(cases.map(name => [name, reason]))
}
