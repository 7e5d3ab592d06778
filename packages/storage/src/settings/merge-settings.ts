import type { Settings } from '@tutti/protocol'
import type { SettingsLayer, SettingsOrigin } from './settings-source.ts'

/** Settings with the places that set each value; the keys of `origins` are paths such as `tutti.backend`. */
export interface MergedSettings {
  settings: Settings
  /** Several for joined lists, else one. */
  origins: Record<string, SettingsOrigin[]>
}

type Values = Record<string, unknown>

/** Lists of rules: every source adds to them. */
const JOINED = new Set(['permissions.allow', 'permissions.ask', 'permissions.deny'])

/** A switch that, once set by any source, stays set. */
const STICKY = 'disableWorkflows'

/** Later layers win key by key; objects are merged, other lists and values replaced. */
export function mergeSettings(layers: readonly SettingsLayer[]): MergedSettings {
  const settings: Values = {}
  const origins: Record<string, SettingsOrigin[]> = {}
  for (const { source, place, values } of layers) {
    mergeInto(settings, values, { path: '', origins, origin: { source, place } })
  }
  return { settings, origins }
}

interface Step {
  path: string
  origins: Record<string, SettingsOrigin[]>
  origin: SettingsOrigin
}

function mergeInto(target: Values, values: Values, step: Step): void {
  for (const [key, value] of Object.entries(values)) {
    // Assigning it would change the prototype.
    if (key === '__proto__') continue
    const path = step.path === '' ? key : `${step.path}.${key}`
    const old = Object.hasOwn(target, key) ? target[key] : undefined
    if (isObject(value)) {
      if (!isObject(old)) forget(step.origins, path)
      const inner: Values = isObject(old) ? old : {}
      target[key] = inner
      mergeInto(inner, value, { ...step, path })
      continue
    }
    if (path === STICKY && old === true) continue
    if (JOINED.has(path) && Array.isArray(old) && Array.isArray(value)) {
      target[key] = [...new Set<unknown>([...(old as unknown[]), ...(value as unknown[])])]
      step.origins[path] = [...(step.origins[path] ?? []), step.origin]
    } else {
      forget(step.origins, path)
      target[key] = value
      step.origins[path] = [step.origin]
    }
  }
}

/** What is replaced as a whole came from nowhere any more. */
function forget(origins: Record<string, SettingsOrigin[]>, path: string): void {
  for (const key of Object.keys(origins)) {
    if (key === path || key.startsWith(`${path}.`)) delete origins[key]
  }
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
