import type { BackendKind, Settings } from '@tutti/protocol'
import { PROFILES } from '../cli/profiles/index.ts'
import { findCommand } from '../find-command.ts'
import { ACP_PRODUCTS } from '../products.ts'
import { versionOf } from './version-of.ts'

type Environment = Record<string, string | undefined>

/** Whether a backend can be used here. */
export interface BackendReport {
  name: string
  kind: BackendKind
  usable: boolean
  /** Where it was found. */
  command?: string
  version?: string
  /** Names of the variables with a key that are set; never their values. */
  keys: string[]
  /** What is missing, or what to know. */
  note?: string
}

export interface ProbeOptions {
  env: Environment
  projectRoot: string
  settings?: Settings
}

/** Variable with a key → that with the address of its endpoint, in the order in which they count. */
const MODEL_KEYS: Readonly<Record<string, string>> = {
  ANTHROPIC_AUTH_TOKEN: 'ANTHROPIC_BASE_URL',
  ANTHROPIC_API_KEY: 'ANTHROPIC_BASE_URL',
  OPENAI_API_KEY: 'OPENAI_BASE_URL',
  GEMINI_API_KEY: 'GOOGLE_GEMINI_BASE_URL',
  GOOGLE_API_KEY: 'GOOGLE_GEMINI_BASE_URL',
  GOOGLE_GENERATIVE_AI_API_KEY: 'GOOGLE_GEMINI_BASE_URL',
}

/** Looks at every backend, those of the settings included. Commands are only asked for their version. */
export async function probeBackends(options: ProbeOptions): Promise<BackendReport[]> {
  const { env, settings = {} } = options
  return [
    modelReport(env),
    { name: 'shell', kind: 'shell', usable: true, keys: [], note: shellNote(settings) },
    { name: 'simulate', kind: 'simulate', usable: true, keys: [], note: 'answers are made up' },
    ...(await Promise.all(Object.keys(PROFILES).map(product => cliReport(product, options)))),
    ...(await Promise.all(Object.keys(ACP_PRODUCTS).map(product => acpReport(product, options)))),
    ...(await Promise.all(Object.keys(settings.tutti?.backends ?? {}).map(name => ownReport(name, options)))),
  ]
}

function modelReport(env: Environment): BackendReport {
  const keys = setIn(env, Object.keys(MODEL_KEYS))
  const common = { name: 'model', kind: 'model' as const, keys }
  if (keys.length === 0)
    return {
      ...common,
      usable: false,
      note: 'no key: set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY',
    }
  const address = env[MODEL_KEYS[keys[0] ?? ''] ?? '']?.trim()
  return { ...common, usable: true, ...(address && { note: `at ${withoutCredentials(address)}` }) }
}

function shellNote({ permissions }: Settings): string {
  const rules = (permissions?.allow ?? []).filter(rule => rule.startsWith('Bash')).length
  return rules === 0
    ? 'runs commands with --allow-shell, or when a rule under permissions.allow fits; there is none yet'
    : `runs commands that fit one of ${rules} rules under permissions.allow, others with --allow-shell`
}

async function cliReport(product: string, options: ProbeOptions): Promise<BackendReport> {
  const profile = PROFILES[product]
  const keys = setIn(options.env, profile?.keys ?? [])
  const found = await commandReport(profile?.command ?? product, profile?.version ?? ['--version'], options)
  return { name: `cli:${product}`, kind: 'cli', keys, ...found }
}

async function acpReport(product: string, options: ProbeOptions): Promise<BackendReport> {
  const command = ACP_PRODUCTS[product]?.command ?? product
  return {
    name: `acp:${product}`,
    kind: 'acp',
    keys: [],
    ...(await commandReport(command, ['--version'], options)),
  }
}

async function ownReport(name: string, options: ProbeOptions): Promise<BackendReport> {
  const own = options.settings?.tutti?.backends?.[name]
  const kind = own?.kind ?? 'simulate'
  const env = { ...options.env, ...own?.env }
  if (kind === 'model') return { ...modelReport(env), name }
  if (kind !== 'cli' && kind !== 'acp') return { name, kind, usable: true, keys: [] }
  const profile = typeof own?.profile === 'string' ? PROFILES[own.profile] : PROFILES[own?.command ?? name]
  const command = own?.command ?? profile?.command
  if (command === undefined)
    return { name, kind, usable: false, keys: [], note: `tutti.backends.${name} names no command` }
  // A command without a profile might take --version for a prompt.
  const args = profile?.version
  const found = await commandReport(command, args, { ...options, env })
  return { name, kind, keys: setIn(env, profile?.keys ?? []), ...found }
}

async function commandReport(
  command: string,
  args: string[] | undefined,
  { env, projectRoot }: ProbeOptions,
): Promise<Omit<BackendReport, 'name' | 'kind' | 'keys'>> {
  const path = findCommand(command, env)
  if (path === undefined) return { usable: false, note: `no command "${command}" on the PATH` }
  if (args === undefined) return { usable: true, command: path }
  const version = await versionOf(path, args, { env, cwd: projectRoot })
  if (version === undefined)
    return { usable: false, command: path, note: `${path} does not tell its version; does it start?` }
  return { usable: true, command: path, version }
}

function setIn(env: Environment, names: string[]): string[] {
  return names.filter(name => (env[name]?.trim() ?? '') !== '')
}

function withoutCredentials(address: string): string {
  if (!URL.canParse(address)) return 'an address that cannot be read'
  const url = new URL(address)
  return `${url.protocol}//${url.host}${url.pathname}`
}
