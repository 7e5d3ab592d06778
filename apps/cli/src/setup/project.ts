import type { Settings } from '@tutti/protocol'
import type { Clock, Random } from '@tutti/runtime'
import {
  loadSettings,
  openStore,
  resolveCodebuddyRoot,
  resolveRoot,
  type FileStore,
  type IgnoredSetting,
  type SettingsOrigin,
} from '@tutti/storage'
import type { Io } from '../io.ts'
import { safeLine } from '../render/text-width.ts'

/** The working directory with its settings and runs. */
export interface Project {
  cwd: string
  root: string
  /** The process's environment over that of the settings. */
  env: Record<string, string | undefined>
  settings: Settings
  /** Which places set a value, by path. */
  origins: Record<string, SettingsOrigin[]>
  store: FileStore
}

export interface ProjectOptions {
  /** `--settings`: a file or JSON. */
  settings?: string
  /** `--trust-project`. */
  trustProject?: boolean
  /** Whose settings files are read; absent: all. */
  settingSources?: readonly ('user' | 'project' | 'local')[]
  /** The command acts on what the settings say, so it matters what of them is ignored. */
  tellIgnored?: boolean
  clock?: Clock
  random?: Random
  onWarning(message: string): void
}

/** Reads the settings and opens the store; nothing is made. Throws WorkflowInputError `settings-invalid`. */
export async function openProject(io: Io, options: ProjectOptions): Promise<Project> {
  const root = resolveRoot(io.env)
  const { settings, origins, warnings, ignored } = await loadSettings({
    cwd: io.cwd,
    root,
    env: io.env,
    ...(options.settings !== undefined && { flagSettings: options.settings }),
    ...(options.trustProject !== undefined && { trustProject: options.trustProject }),
    ...(options.settingSources && { sources: options.settingSources }),
  })
  for (const warning of warnings) options.onWarning(warning)
  if (options.tellIgnored === true) for (const warning of ignoredWarnings(ignored)) options.onWarning(warning)
  const { layout } = settings.tutti ?? {}
  return {
    cwd: io.cwd,
    root,
    env: { ...settings.env, ...io.env },
    settings,
    origins,
    store: openStore({
      cwd: io.cwd,
      root,
      codebuddyRoot: resolveCodebuddyRoot(io.env),
      ...(layout !== undefined && { layout }),
      ...(options.clock && { clock: options.clock }),
      ...(options.random && { random: options.random }),
    }),
  }
}

/** One line for each file of the project that says more than it may. */
function ignoredWarnings(ignored: IgnoredSetting[]): string[] {
  const byFile = new Map<string, string[]>()
  for (const { place, key } of ignored) byFile.set(place, [...(byFile.get(place) ?? []), key])
  return [...byFile].map(
    ([place, keys]) =>
      `${place}: ignored, because this project is not trusted: ${safeLine(keys.join(', '))}. To trust it: --trust-project, or tutti.trustedProjects in your own settings.`,
  )
}
