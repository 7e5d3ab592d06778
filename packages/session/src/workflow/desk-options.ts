import type { Dialect, PermissionSettings, Settings } from '@tutti/protocol'
import type {
  AskPermission,
  Clock,
  LaunchOptions,
  Random,
  RunLocations,
  RunStore,
  Runtime,
} from '@tutti/runtime'
import type { ApprovedScripts, SavedWorkflows } from '@tutti/storage'
import type { DeskHost } from './types.ts'

/** What a session's workflows are given by whoever wires them. */
export interface WorkflowDeskOptions {
  host: DeskHost
  cwd: string
  /** Folder of all settings and runs. */
  root: string
  env: Record<string, string | undefined>
  settings: Settings
  dialect: Dialect
  clock: Clock
  random: Random
  store: DeskStore
  workflows: SavedWorkflows
  /** Makes the runtime of runs under these permissions; called anew when they have changed. */
  runtimeFor(permissions: RunPermissions): Runtime
  /** Defaults of a new run as they are now. */
  launchDefaults?(): LaunchDefaults
  /** Scripts that need not be asked about; default: none is remembered. */
  approved?: ApprovedScripts
  /** Folders beside the working directory that scripts may be started from. */
  additionalDirectories?: readonly string[]
  /** How long an agent's question waits for the host's answer; default five minutes. */
  agentAskMs?: number
  /** Something went wrong that no frame tells of. */
  warn?(message: string): void
}

/** `backend` and `cache` hold for resumed runs too: they were chosen for this session. */
export type LaunchDefaults = Pick<LaunchOptions, 'limits' | 'model' | 'backend' | 'cache'>

/** Keeps runs; a store of files also finds one without reading it. */
export type DeskStore = RunStore & { locate?(runId: string): Promise<RunLocations> }

/** What agents of a run may do. */
export interface RunPermissions {
  /** Rules of the session; `defaultMode` is its mode. */
  settings: PermissionSettings
  /** Absent: nobody can be asked. */
  ask?: AskPermission
}
