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

/** Backends that start a program of the settings' choice. */
const PROGRAMS: ReadonlySet<unknown> = new Set(['cli', 'acp'])
/** Modes that ask before they act. */
const CAREFUL_MODES: ReadonlySet<unknown> = new Set(['default', 'plan', 'dontAsk'])
/** Programs whose tools agents use. */
const STARTS_SERVERS = ['mcpServers', 'enabledMcpjsonServers', 'enableAllProjectMcpServers'] as const
/** What a project may not say about itself, or about what is run and kept from harm on this machine. */
const OWNERS_ONLY = ['trustedProjects', 'notify', 'sandbox'] as const

/**
 * A project's settings as they take effect without trust: nothing that redirects a credential, changes what
 * processes load, starts a program or permits a command. The rest stays.
 */
export function restrictProject(layer: SettingsLayer): { layer: SettingsLayer; ignored: IgnoredSetting[] } {
  const ignored: IgnoredSetting[] = []
  const drop = (key: string): void => void ignored.push({ place: layer.place, key })
  const { env, permissions, tutti } = layer.values
  const values: Values = {
    ...layer.values,
    ...(isObject(env) && { env: harmlessVariables(env, 'env', drop) }),
    ...(isObject(permissions) && { permissions: carefulPermissions(permissions, drop) }),
    ...(isObject(tutti) && { tutti: restrictTutti(tutti, drop) }),
  }
  for (const name of STARTS_SERVERS) {
    if (!Object.hasOwn(values, name)) continue
    drop(name)
    delete values[name]
  }
  return { layer: { ...layer, values }, ignored }
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

function restrictTutti(tutti: Values, drop: Drop): Values {
  const kept: Values = { ...tutti }
  for (const name of OWNERS_ONLY) {
    if (!Object.hasOwn(kept, name)) continue
    drop(`tutti.${name}`)
    delete kept[name]
  }
  if (!isObject(tutti['backends'])) return kept
  const backends: [string, unknown][] = []
  for (const [name, backend] of Object.entries(tutti['backends'])) {
    if (!isObject(backend)) continue
    const path = `tutti.backends.${name}`
    if (PROGRAMS.has(backend['kind'])) drop(path)
    else backends.push([name, restrictBackend(backend, path, drop)])
  }
  return { ...kept, backends: Object.fromEntries(backends) }
}

function restrictBackend({ command, env, ...rest }: Values, path: string, drop: Drop): Values {
  if (command !== undefined) drop(`${path}.command`)
  return isObject(env) ? { ...rest, env: harmlessVariables(env, `${path}.env`, drop) } : rest
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
