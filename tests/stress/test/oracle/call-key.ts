import { createHash } from 'node:crypto'
import type { CallOptions } from './trace.ts'

/** The key of a call of a random script, made from the words of the specification and not with the runtime's code. */
export function callKey(path: string, prompt: string, options: CallOptions): string {
  const call = {
    agentType: 'workflow-subagent',
    backend: 'held',
    kind: 'agent',
    path,
    prompt,
    ...(options.schema !== undefined && { schema: options.schema }),
  }
  return `v2:${createHash('sha256').update(sorted(call)).digest('hex')}`
}

/** JSON with sorted names: for texts and plain objects that is RFC 8785. */
function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, member]) => `${JSON.stringify(name)}:${sorted(member)}`).join(',')}}`
}
