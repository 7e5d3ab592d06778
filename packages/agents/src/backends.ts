import type { BackendSettings, Settings } from '@tutti/protocol'
import { WorkflowInputError, type Clock, type ExecutorCapabilities } from '@tutti/runtime'
import type { BackendEntry } from './backend.ts'
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
const SHELL: ExecutorCapabilities = { schema: 'loop', usage: 'none', maxTurns: false, isolation: true }
const SCRIPTED: ExecutorCapabilities = { schema: 'loop', usage: 'exact', maxTurns: false, isolation: true }

/** The backends `simulate`, `model`, `shell` and `scripted:<file>`, and those of the settings. Nothing is loaded yet. */
export function createBackends(options: BackendsOptions): Record<string, BackendEntry> {
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

function entryOf(
  settings: BackendSettings,
  options: BackendsOptions,
  name: string = settings.kind,
): BackendEntry {
  switch (settings.kind) {
    case 'simulate':
      return { kind: 'simulate', capabilities: SIMULATE, load: () => loadSimulate(options) }
    case 'model':
      return { kind: 'model', capabilities: MODEL, load: () => loadModel(settings, options) }
    case 'shell':
      return { kind: 'shell', capabilities: SHELL, load: () => inTrees(loadShell(options), options) }
    case 'scripted':
      return scriptedEntry(settings.args?.[0], options)
    default:
      return unsupportedEntry(settings.kind, name)
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
  { model }: BackendSettings,
  { env, settings, clock }: BackendsOptions,
): ReturnType<BackendEntry['load']> {
  const { configuredEndpoint, createModelBackend } = await import('./model/index.ts')
  const models = settings?.tutti?.models
  return createModelBackend({
    endpoint: configuredEndpoint(env),
    ...(models && { models }),
    ...(model !== undefined && { model }),
    ...(clock && { clock }),
  })
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
