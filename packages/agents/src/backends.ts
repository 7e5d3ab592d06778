import type { BackendSettings, Settings } from '@tutti/protocol'
import { systemClock, WorkflowInputError, type Clock, type ExecutorCapabilities } from '@tutti/runtime'
import type { BackendEntry } from './backend.ts'
import type { Governor } from './governor/governor.ts'
import type { McpChoice } from './mcp/servers.ts'
import type { ProcessGroups } from './process-groups.ts'

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
  clock?: Clock
}

const SIMULATE: ExecutorCapabilities = { schema: 'loop', usage: 'estimate', maxTurns: false, isolation: true }
const MODEL: ExecutorCapabilities = { schema: 'loop', usage: 'exact', maxTurns: true, isolation: false }
const SHELL: ExecutorCapabilities = { schema: 'loop', usage: 'none', maxTurns: false, isolation: false }
const SCRIPTED: ExecutorCapabilities = { schema: 'loop', usage: 'exact', maxTurns: false, isolation: true }

/** The backends `simulate`, `model`, `shell` and `scripted:<file>`, and those of the settings. Nothing is loaded yet. */
export function createBackends(given: BackendsOptions): Record<string, BackendEntry> {
  let governor: Promise<Governor> | undefined
  const options: Parts = { ...given, governor: () => (governor ??= loadGovernor(given)) }
  const backends: Record<string, BackendEntry> = {
    simulate: entryOf({ kind: 'simulate' }, options),
    model: entryOf({ kind: 'model' }, options),
    shell: entryOf({ kind: 'shell' }, options),
    scripted: entryOf({ kind: 'scripted' }, options),
  }
  for (const [name, settings] of Object.entries(options.settings?.tutti?.backends ?? {})) {
    backends[name] = entryOf(settings, { ...options, env: { ...options.env, ...settings.env } }, name)
  }
  return backends
}

interface Parts extends BackendsOptions {
  /** One for all backends. */
  governor(): Promise<Governor>
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
      return { kind: 'model', capabilities: MODEL, load: () => loadModel(settings, options) }
    case 'shell':
      return { kind: 'shell', capabilities: SHELL, load: () => loadShell(options) }
    case 'scripted':
      return scriptedEntry(settings.args?.[0], options)
    default:
      return unsupportedEntry(settings.kind, name)
  }
}

async function loadSimulate({ env, clock }: BackendsOptions): ReturnType<BackendEntry['load']> {
  const { createSimulateBackend, simulateSpeedOf } = await import('./simulate/index.ts')
  return createSimulateBackend({ speed: simulateSpeedOf(env), ...(clock && { clock }) })
}

async function loadModel(
  { model, env: own }: BackendSettings,
  { env, projectRoot, settings, groups, clock, governor }: Parts,
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
      ...(settings && { mcp: mcpChoiceOf(settings) }),
    },
    governor: await governor(),
    ...(prefixStaggerMs !== undefined && { prefixStaggerMs }),
    ...(models && { models }),
    ...(prices && { prices }),
    ...(model !== undefined && { model }),
    ...(clock && { clock }),
  })
}

function mcpChoiceOf(settings: Settings): McpChoice {
  const { mcpServers, enabledMcpjsonServers, disabledMcpjsonServers, enableAllProjectMcpServers } = settings
  return {
    ...(mcpServers && { servers: mcpServers }),
    ...(enabledMcpjsonServers && { enabled: enabledMcpjsonServers }),
    ...(disabledMcpjsonServers && { disabled: disabledMcpjsonServers }),
    ...(enableAllProjectMcpServers !== undefined && { enableAll: enableAllProjectMcpServers }),
  }
}

async function loadShell({
  env,
  projectRoot,
  settings,
  allowShell,
  groups,
  clock,
}: BackendsOptions): ReturnType<BackendEntry['load']> {
  const { createShellBackend } = await import('./shell/index.ts')
  const permissions = settings?.permissions
  return createShellBackend({
    projectRoot,
    env,
    ...(permissions && { permissions }),
    ...(allowShell !== undefined && { allowShell }),
    ...(groups && { groups }),
    ...(clock && { clock }),
  })
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

/** Known to the settings, so that a file for a later version can be read. */
function unsupportedEntry(kind: BackendSettings['kind'], name: string): BackendEntry {
  return {
    kind,
    capabilities: { schema: 'none', usage: 'none', maxTurns: false, isolation: false },
    load: async () => {
      throw new WorkflowInputError(
        'settings-invalid',
        `tutti.backends.${name}: kind "${kind}" is not supported by this version`,
      )
    },
  }
}
