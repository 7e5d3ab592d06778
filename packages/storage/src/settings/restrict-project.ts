import { isSteeringVariable } from './steering-variables.ts'
import type { SettingsLayer } from './settings-source.ts'

/** A setting of a project's own files that has no effect, because the project is not trusted. */
export interface IgnoredSetting {
  /** The file. */
  place: string
  /** For example `env.ANTHROPIC_BASE_URL`. */
  key: string
}

type Values = Record<string, unknown>

/** Kinds of backends that neither start a program nor read a file of the settings' choice. */
const HARMLESS_KINDS: ReadonlySet<unknown> = new Set(['model', 'simulate'])
/** Names of backends that are there without any settings. */
const BUILT_IN: ReadonlySet<string> = new Set(['model', 'simulate', 'shell', 'scripted'])
/** Modes that ask before they act. */
const CAREFUL_MODES: ReadonlySet<unknown> = new Set(['default', 'plan', 'dontAsk'])
/** Programs whose tools agents use. */
const STARTS_SERVERS = ['mcpServers', 'enabledMcpjsonServers', 'enableAllProjectMcpServers'] as const
/** What a project may not say about itself, or about what is run and kept from harm on this machine. */
const OWNERS_ONLY = ['trustedProjects', 'notify', 'sandbox'] as const

/**
 * The layers of a project as they take effect without trust: nothing that redirects a credential, changes what
 * processes load, starts a program, permits a command or turns prompts into commands. The rest stays. `others` are
 * the settings from elsewhere: a project does not change the backends they define.
 */
export function restrictProject(
  layers: readonly SettingsLayer[],
  others: Values,
): { layers: SettingsLayer[]; ignored: IgnoredSetting[] } {
  const ignored: IgnoredSetting[] = []
  const taken = backendsOf(others)
  const own = new Set(
    layers.flatMap(({ values }) => Object.entries(backendsOf(values)).filter(isHarmlessBackend)).map(nameOf),
  )
  const choices: Choices = {
    mayDefine: name => !BUILT_IN.has(name) && !Object.hasOwn(taken, name),
    mayChoose: name => {
      const known = Object.hasOwn(taken, name) ? taken[name] : undefined
      if (known !== undefined) return isHarmlessBackend([name, known])
      return HARMLESS_KINDS.has(name) || (own.has(name) && !BUILT_IN.has(name))
    },
  }
  const restricted = layers.map(layer =>
    restrictLayer(layer, choices, key => void ignored.push({ place: layer.place, key })),
  )
  return { layers: restricted, ignored }
}

/** Names of backends that a project may use. */
interface Choices {
  mayDefine(name: string): boolean
  mayChoose(name: string): boolean
}

function restrictLayer(layer: SettingsLayer, choices: Choices, drop: Drop): SettingsLayer {
  const { env, permissions, tutti } = layer.values
  const values: Values = {
    ...layer.values,
    ...(isObject(env) && { env: harmlessVariables(env, 'env', drop) }),
    ...(isObject(permissions) && { permissions: carefulPermissions(permissions, drop) }),
    ...(isObject(tutti) && { tutti: restrictTutti(tutti, choices, drop) }),
  }
  for (const name of STARTS_SERVERS) {
    if (!Object.hasOwn(values, name)) continue
    drop(name)
    delete values[name]
  }
  return { ...layer, values }
}

type Drop = (key: string) => void

function harmlessVariables(env: Values, path: string, drop: Drop): Values {
  const kept = Object.entries(env).filter(([name]) => {
    const steers = isSteeringVariable(name)
    if (steers) drop(`${path}.${name}`)
    return !steers
  })
  return Object.fromEntries(kept)
}

/** Rules that forbid or ask are welcome from anyone. */
function carefulPermissions(permissions: Values, drop: Drop): Values {
  const { allow, defaultMode, ...rest } = permissions
  if (Array.isArray(allow) && allow.length > 0) drop('permissions.allow')
  if (defaultMode === undefined) return rest
  if (CAREFUL_MODES.has(defaultMode)) return { ...rest, defaultMode }
  drop('permissions.defaultMode')
  return rest
}

function restrictTutti(tutti: Values, { mayDefine, mayChoose }: Choices, drop: Drop): Values {
  const kept: Values = { ...tutti }
  for (const name of OWNERS_ONLY) {
    if (!Object.hasOwn(kept, name)) continue
    drop(`tutti.${name}`)
    delete kept[name]
  }
  const chosen = kept['backend']
  if (chosen !== undefined && !(typeof chosen === 'string' && mayChoose(chosen))) {
    drop('tutti.backend')
    delete kept['backend']
  }
  if (!isObject(tutti['backends'])) return kept
  const backends: [string, unknown][] = []
  for (const [name, backend] of Object.entries(tutti['backends'])) {
    const path = `tutti.backends.${name}`
    if (!isObject(backend) || !isHarmlessBackend([name, backend]) || !mayDefine(name)) drop(path)
    else backends.push([name, restrictBackend(backend, path, drop)])
  }
  return { ...kept, backends: Object.fromEntries(backends) }
}

function restrictBackend({ command, env, ...rest }: Values, path: string, drop: Drop): Values {
  if (command !== undefined) drop(`${path}.command`)
  return isObject(env) ? { ...rest, env: harmlessVariables(env, `${path}.env`, drop) } : rest
}

function backendsOf({ tutti }: Values): Values {
  return isObject(tutti) && isObject(tutti['backends']) ? tutti['backends'] : {}
}

function isHarmlessBackend([, backend]: [string, unknown]): boolean {
  return isObject(backend) && HARMLESS_KINDS.has(backend['kind'])
}

function nameOf([name]: [string, unknown]): string {
  return name
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
