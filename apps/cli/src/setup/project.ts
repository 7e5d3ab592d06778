import type { Settings } from '@tutti/protocol'
import type { Clock, Random } from '@tutti/runtime'
import { loadSettings, openStore, resolveRoot, type FileStore, type SettingsOrigin } from '@tutti/storage'
import type { Io } from '../io.ts'

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
  clock?: Clock
  random?: Random
  onWarning(message: string): void
}

/** Reads the settings and opens the store; nothing is made. Throws WorkflowInputError `settings-invalid`. */
export async function openProject(io: Io, options: ProjectOptions): Promise<Project> {
  const root = resolveRoot(io.env)
  const { settings, origins, warnings } = await loadSettings({
    cwd: io.cwd,
    root,
    env: io.env,
    ...(options.settings !== undefined && { flagSettings: options.settings }),
  })
  for (const warning of warnings) options.onWarning(warning)
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
      ...(layout !== undefined && { layout }),
      ...(options.clock && { clock: options.clock }),
      ...(options.random && { random: options.random }),
    }),
  }
}
