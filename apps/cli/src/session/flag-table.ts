// Every flag of a session, by how many words after it belong to it. docs/cli.md tells what they mean.

/** None. */
const SWITCHES = [
  'print',
  'verbose',
  'include-partial-messages',
  'include-hook-events',
  'replay-user-messages',
  'dangerously-skip-permissions',
  'allow-dangerously-skip-permissions',
  'strict-mcp-config',
  'trust-project',
  'allow-shell',
  'continue',
  'fork-session',
  'no-session-persistence',
  'await-initialize',
  'color',
  'no-color',
  'debug-to-stderr',
  'help',
  'version',
] as const

/** The next one, whatever it is. */
const WITH_VALUE = [
  'input-format',
  'output-format',
  'dialect',
  'max-wait',
  'model',
  'fallback-model',
  'effort',
  'thinking',
  'max-thinking-tokens',
  'system-prompt',
  'system-prompt-file',
  'append-system-prompt',
  'append-system-prompt-file',
  'max-turns',
  'max-budget-usd',
  'json-schema',
  'agent',
  'agents',
  'backend',
  'permission-mode',
  'permission-prompt-tool',
  'permission-prompts',
  'settings',
  'setting-sources',
  'session-id',
  'resume-session-at',
  'debug-file',
  'managed-settings',
  'name',
  'project-config-root',
  'task-budget',
] as const

/** The next one, unless it is a flag. */
const WITH_OPTIONAL_VALUE = ['resume', 'debug'] as const

/** All up to the next flag. */
const WITH_VALUES = [
  'allowedTools',
  'disallowedTools',
  'tools',
  'add-dir',
  'mcp-config',
  'betas',
  'plugin-dir',
] as const

/** Accepted, so that programs that give them work, and without effect. */
export const IGNORED_FLAGS: readonly SessionFlagName[] = [
  'allow-dangerously-skip-permissions',
  'await-initialize',
  'betas',
  'color',
  'debug',
  'debug-file',
  'debug-to-stderr',
  'managed-settings',
  'name',
  'no-color',
  'plugin-dir',
  'project-config-root',
  'task-budget',
]

const OTHER_NAMES: Record<string, SessionFlagName> = {
  p: 'print',
  c: 'continue',
  r: 'resume',
  d: 'debug',
  n: 'name',
  h: 'help',
  v: 'version',
  'allowed-tools': 'allowedTools',
  'disallowed-tools': 'disallowedTools',
}

export type SessionFlagName =
  | (typeof SWITCHES)[number]
  | (typeof WITH_VALUE)[number]
  | (typeof WITH_OPTIONAL_VALUE)[number]
  | (typeof WITH_VALUES)[number]

export type FlagArity = 'none' | 'one' | 'optional' | 'many'

const ARITIES = new Map<SessionFlagName, FlagArity>([
  ...SWITCHES.map(name => [name, 'none'] as const),
  ...WITH_VALUE.map(name => [name, 'one'] as const),
  ...WITH_OPTIONAL_VALUE.map(name => [name, 'optional'] as const),
  ...WITH_VALUES.map(name => [name, 'many'] as const),
])

export const SESSION_FLAGS: readonly SessionFlagName[] = [...ARITIES.keys()]

/** The flag of that name or other name, given without dashes; undefined for one that is not known. */
export function flagNamed(word: string): SessionFlagName | undefined {
  if (Object.hasOwn(OTHER_NAMES, word)) return OTHER_NAMES[word]
  return SESSION_FLAGS.find(name => name === word)
}

export function arityOf(name: SessionFlagName): FlagArity {
  return ARITIES.get(name) ?? 'none'
}
