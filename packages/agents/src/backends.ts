import type { BackendSettings, JsonObject, PermissionSettings, Settings } from '@tutti/protocol'
import { systemClock, WorkflowInputError, type Clock, type ExecutorCapabilities } from '@tutti/runtime'
import type { BackendEntry } from './backend.ts'
import type { Governor } from './governor/governor.ts'
import { mcpChoiceOf } from './mcp/choice-of-settings.ts'
import { createProcessGroups, type ProcessGroups } from './process-groups.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { ACP_PRODUCTS, CLI_PRODUCTS } from './products.ts'

type Environment = Record<string, string | undefined>

export interface BackendsOptions {
  env: Environment
  /** Commands run here or below. */
  projectRoot: string
  settings?: Settings
  /** Commands run although no rule allows them. */
  allowShell?: boolean
  /** Told of every process group, so that the program can end them when it ends itself. */
  groups?: ProcessGroups
  /** Shared with whatever else of the program talks to models. */
  governor?: Governor
  clock?: Clock
}

const SIMULATE: ExecutorCapabilities = { schema: 'loop', usage: 'estimate', maxTurns: false, isolation: true }
const MODEL: ExecutorCapabilities = {
  schema: 'loop',
  usage: 'exact',
  maxTurns: true,
  isolation: true,
  continues: true,
}
const SHELL: ExecutorCapabilities = { schema: 'loop', usage: 'none', maxTurns: false, isolation: true }
const SCRIPTED: ExecutorCapabilities = {
  schema: 'loop',
  usage: 'exact',
  maxTurns: false,
  isolation: true,
  continues: true,
}

/**
 * The backends `simulate`, `model`, `shell`, `scripted:<file>`, one for each agent product that is known
 * (`cli:claude`, `acp:opencode` …), and those of the settings. Nothing is loaded yet.
 */
export function createBackends(given: BackendsOptions): Record<string, BackendEntry> {
  let governor: Promise<Governor> | undefined
  const options: Parts = {
    ...given,
    groups: given.groups ?? createProcessGroups(),
    oneGovernor: () => (governor ??= given.governor ? Promise.resolve(given.governor) : loadGovernor(given)),
  }
  const backends: Record<string, BackendEntry> = {
    simulate: entryOf({ kind: 'simulate' }, options),
    model: entryOf({ kind: 'model' }, options),
    shell: entryOf({ kind: 'shell' }, options),
    scripted: entryOf({ kind: 'scripted' }, options),
  }
  for (const product of Object.keys(CLI_PRODUCTS))
    backends[`cli:${product}`] = cliEntry({ kind: 'cli', profile: product }, options, product)
  for (const [product, start] of Object.entries(ACP_PRODUCTS))
    backends[`acp:${product}`] = acpEntry({ kind: 'acp', ...start }, options, product)
  for (const [name, settings] of Object.entries(options.settings?.tutti?.backends ?? {})) {
    backends[name] = entryOf(settings, { ...options, env: { ...options.env, ...settings.env } }, name)
  }
  return backends
}

interface Parts extends BackendsOptions {
  /** One for all backends. */
  oneGovernor(): Promise<Governor>
}

async function loadGovernor({ clock = systemClock() }: BackendsOptions): Promise<Governor> {
  const { createGovernor } = await import('./governor/governor.ts')
  return createGovernor(clock)
}

function entryOf(settings: BackendSettings, options: Parts, name: string = settings.kind): BackendEntry {
  switch (settings.kind) {
    case 'simulate':
      return { kind: 'simulate', capabilities: SIMULATE, load: () => loadSimulate(options) }
    case 'model':
      return {
        kind: 'model',
        capabilities: MODEL,
        load: () => inTrees(loadModel(settings, options), options),
      }
    case 'shell':
      return { kind: 'shell', capabilities: SHELL, load: () => inTrees(loadShell(options), options) }
    case 'scripted':
      return scriptedEntry(settings.args?.[0], options)
    case 'cli':
      return cliEntry(settings, options, name)
    case 'acp':
      return acpEntry(settings, options, name)
    default:
      return settings.kind satisfies never
  }
}

/** For backends that work in a folder: with isolation that is a tree of the agent's own. */
async function inTrees(
  loading: ReturnType<BackendEntry['load']>,
  { projectRoot, env }: BackendsOptions,
): ReturnType<BackendEntry['load']> {
  const { isolatedBackend } = await import('./worktree/index.ts')
  return isolatedBackend(await loading, { projectRoot, env })
}

async function loadSimulate({ env, clock }: BackendsOptions): ReturnType<BackendEntry['load']> {
  const { createSimulateBackend, simulateSpeedOf } = await import('./simulate/index.ts')
  return createSimulateBackend({ speed: simulateSpeedOf(env), ...(clock && { clock }) })
}

async function loadModel(
  { model, env: own }: BackendSettings,
  { env, projectRoot, settings, groups, clock, oneGovernor }: Parts,
): ReturnType<BackendEntry['load']> {
  const { configuredEndpoint, createModelBackend } = await import('./model/index.ts')
  const { models, prefixStaggerMs, prices } = settings?.tutti ?? {}
  const permissions = settings?.permissions
  return createModelBackend({
    endpoint: configuredEndpoint(env, own),
    workspace: {
      projectRoot,
      env,
      ...(permissions && { permissions }),
      ...(groups && { groups }),
      ...(await sandboxFor(settings, env)),
      ...(settings && { mcp: mcpChoiceOf(settings) }),
    },
    governor: await oneGovernor(),
    ...(prefixStaggerMs !== undefined && { prefixStaggerMs }),
    ...(models && { models }),
    ...(prices && { prices }),
    ...(model !== undefined && { model }),
    ...(clock && { clock }),
  })
}

async function loadShell(options: BackendsOptions): ReturnType<BackendEntry['load']> {
  const { createShellBackend } = await import('./shell/index.ts')
  const { allowShell, settings, env } = options
  return createShellBackend({
    ...folderOptions(options),
    ...(await sandboxFor(settings, env)),
    ...(allowShell !== undefined && { allowShell }),
  })
}

/** Throws where one is required that cannot be had. */
async function sandboxFor(settings: Settings | undefined, env: Environment): Promise<{ sandbox?: Sandbox }> {
  const wanted = settings?.tutti?.sandbox
  if (wanted === undefined) return {}
  const { openSandbox } = await import('./sandbox/index.ts')
  const sandbox = openSandbox(wanted, env)
  return sandbox ? { sandbox } : {}
}

/** The command of another product. */
function cliEntry(settings: BackendSettings, options: BackendsOptions, name: string): BackendEntry {
  const { profile, command } = settings
  const product = typeof profile === 'string' ? profile : (command?.split(/[/\\]/).at(-1) ?? name)
  const known = Object.hasOwn(CLI_PRODUCTS, product) ? CLI_PRODUCTS[product] : undefined
  const isData = typeof profile === 'object'
  return {
    kind: 'cli',
    capabilities: {
      schema: 'loop',
      usage: known || isData ? 'exact' : 'none',
      maxTurns: known?.maxTurns ?? isData,
      isolation: true,
      continues: known !== undefined || (isData && mentionsSession(profile)),
    },
    load: () => inTrees(loadCli(settings, options, name), options),
  }
}

/** A profile that says where the id of a conversation goes, or that is like one that does. */
function mentionsSession(profile: JsonObject): boolean {
  const { args, like } = profile
  if (args !== undefined) return JSON.stringify(args).includes('{session}')
  return typeof like === 'string' && Object.hasOwn(CLI_PRODUCTS, like)
}

async function loadCli(
  settings: BackendSettings,
  options: BackendsOptions,
  name: string,
): ReturnType<BackendEntry['load']> {
  const { chooseProfile, createCliBackend } = await import('./cli/index.ts')
  const { command, args, model } = settings
  return createCliBackend({
    ...folderOptions(options),
    profile: chooseProfile(name, settings),
    ...(command !== undefined && { command }),
    ...(args && { args }),
    ...(model !== undefined && { model }),
  })
}

/** A command that speaks the Agent Client Protocol. */
function acpEntry(settings: BackendSettings, options: BackendsOptions, name: string): BackendEntry {
  return {
    kind: 'acp',
    capabilities: { schema: 'loop', usage: 'estimate', maxTurns: false, isolation: true, continues: true },
    load: () => inTrees(loadAcp(settings, options, name), options),
  }
}

async function loadAcp(
  { command, args, model }: BackendSettings,
  options: BackendsOptions,
  name: string,
): ReturnType<BackendEntry['load']> {
  if (command === undefined)
    throw new WorkflowInputError('settings-invalid', `tutti.backends.${name}: kind "acp" needs a command`)
  const { createAcpBackend } = await import('./acp/index.ts')
  return createAcpBackend({
    ...folderOptions(options),
    command,
    ...(args && { args }),
    ...(model !== undefined && { model }),
  })
}

/** What backends that work in a folder have in common. */
function folderOptions({ env, projectRoot, settings, groups, clock }: BackendsOptions): FolderOptions {
  const permissions = settings?.permissions
  const models = settings?.tutti?.models
  return {
    env,
    projectRoot,
    ...(permissions && { permissions }),
    ...(models && { models }),
    ...(groups && { groups }),
    ...(clock && { clock }),
  }
}

interface FolderOptions {
  env: Environment
  projectRoot: string
  permissions?: PermissionSettings
  models?: Record<string, string>
  groups?: ProcessGroups
  clock?: Clock
}

function scriptedEntry(file: string | undefined, { clock }: BackendsOptions): BackendEntry {
  return {
    kind: 'scripted',
    capabilities: SCRIPTED,
    takesArgument: true,
    everyType: true,
    async load(argument = file) {
      if (!argument)
        throw new WorkflowInputError('option-invalid', 'name the file with the table: scripted:<file>')
      const { createScriptedBackend } = await import('./scripted/index.ts')
      return createScriptedBackend(argument, { ...(clock && { clock }) })
    },
  }
}
