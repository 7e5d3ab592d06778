import { availableParallelism } from 'node:os'
import type { ConfigFlags } from '../command-line/invocation.ts'
import { EXIT } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { safeLine } from '../render/text-width.ts'
import { openProject, type Project } from '../setup/project.ts'
import { SETTINGS_WITHOUT_EFFECT, settingDefaults } from '../setup/setting-defaults.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'
import { writeOut } from '../write-out.ts'
import { hideSecrets } from './hide-secrets.ts'

export interface ConfigInvocation {
  key?: string
  options: ConfigFlags
}

interface ShownSetting {
  key: string
  value: unknown
  /** Where there is no single value: what holds. */
  text?: string
  from: string[]
}

/** Shows settings as they are in effect, and where each comes from, defaults too. Values of secret-looking keys are hidden. */
export async function configCommand(
  { key, options: flags }: ConfigInvocation,
  { io, terminal }: { io: Io; terminal: Terminal },
): Promise<number> {
  const project = await openProject(io, {
    onWarning: message => io.stderr.write(`warning ${message}\n`),
    tellIgnored: true,
    ...(flags.settings !== undefined && { settings: flags.settings }),
    ...(flags.trustProject !== undefined && { trustProject: flags.trustProject }),
  })
  const all = withDefaults(settingsOf(project), project)
  const shown = key === undefined ? all : all.filter(one => one.key === key || one.key.startsWith(`${key}.`))
  if (key !== undefined && shown.length === 0) throw notSet(key)
  const { dim } = terminal.outColors
  const lines = shown.map(
    ({ key: name, value, text, from }) =>
      `${name} = ${text === undefined ? safeLine(JSON.stringify(value)) : `(${text})`}  ${dim(from.join(', '))}`,
  )
  await writeOut(io.stdout, `${flags.json === true ? JSON.stringify(shown) : lines.join('\n')}\n`)
  return EXIT.completed
}

/** What is set, and of the rest what holds without being set. */
function withDefaults(set: ShownSetting[], { env }: Project): ShownSetting[] {
  const isSet = (key: string): boolean => set.some(one => one.key === key || one.key.startsWith(`${key}.`))
  const defaults = settingDefaults({ env, cpus: availableParallelism() })
    .filter(({ key }) => !isSet(key))
    .map(({ key, value = null, text }) => ({
      key,
      value,
      ...(text !== undefined && { text }),
      from: ['default'],
    }))
  return [...set, ...defaults].sort((a, b) => (a.key < b.key ? -1 : 1))
}

function notSet(key: string): UsageError {
  const known = SETTINGS_WITHOUT_EFFECT.includes(key)
  return new UsageError(
    known
      ? `"${key}" is not set, and has no effect in this version`
      : `"${key}" is no setting, and not set anywhere`,
    'tutti config lists all settings.',
    'setting-not-set',
  )
}

function settingsOf({ settings, origins }: Project): ShownSetting[] {
  const shown = hideSecrets(settings)
  return Object.entries(origins)
    .map(([key, places]) => ({
      key,
      value: valueAt(shown, key),
      from: places.map(({ source, place }) => `${source}: ${place}`),
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** Names may contain dots, so the longest name that exists is taken at each step. */
function valueAt(value: unknown, path: string): unknown {
  if (path === '') return value
  if (typeof value !== 'object' || value === null) return undefined
  for (const name of Object.keys(value)) {
    if (path === name) return (value as Record<string, unknown>)[name]
    if (!path.startsWith(`${name}.`)) continue
    const found = valueAt((value as Record<string, unknown>)[name], path.slice(name.length + 1))
    if (found !== undefined) return found
  }
  return undefined
}
