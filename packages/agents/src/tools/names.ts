/** The built-in tools, in the order in which a model is told of them. */
export const BUILT_IN_NAMES: readonly string[] = [
  'Bash',
  'Edit',
  'Glob',
  'Grep',
  'Read',
  'TodoWrite',
  'WebFetch',
  'Write',
]

/** An absent list and `*` name all; `mcp__server` and `mcp__server__*` name all tools of a server. */
export function isNamed(name: string, list: string[] | undefined): boolean {
  if (list === undefined || list.includes('*') || list.includes(name)) return true
  return list.some(entry => entry.startsWith('mcp__') && name.startsWith(`${entry.replace(/__\*$/, '')}__`))
}
