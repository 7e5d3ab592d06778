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
