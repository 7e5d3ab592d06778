import { resolve } from 'node:path'
import { systemClock } from '@tutti/runtime'
import type { Clock, Random, RunLocations, RunStore } from '@tutti/runtime'
import type { ForeignRun, ForeignRunSummary } from './foreign/foreign-run.ts'
import { listForeignRuns, loadForeignRun } from './foreign/list-foreign.ts'
import { createDisk, type FileSystem } from './files/file-system.ts'
import type { LayoutName } from './layout.ts'
import type { RunOwnerState } from './lease/judge-owner.ts'
import { systemProcesses } from './lease/process-identity.ts'
import { pruneRuns, type PruneOptions, type PruneReport } from './prune/prune-runs.ts'
import { resolveCodebuddyRoot, resolveRoot } from './root.ts'
import { readBlob } from './run/blobs.ts'
import { createRun } from './run/create-run.ts'
import { findRun } from './run/find-run.ts'
import { listRuns, listUnreadable, type UnreadableRun } from './run/list-runs.ts'
import { loadRun } from './run/load-run.ts'
import { openRun } from './run/open-run.ts'
import { locationsOf } from './run/run-locations.ts'
import { withScriptName } from './run/script-copy.ts'
import { ownerOf, searchOf, type StoreContext } from './run/store-context.ts'

export interface StoreOptions {
  /** Working directory: new runs go to its project, and runs are looked for from there. */
  cwd: string
  /** Default: `resolveRoot()`. */
  root?: string
  /** Where CodeBuddy keeps its runs; default `~/.codebuddy`. */
  codebuddyRoot?: string
  /** How new runs are laid out; default `session`. Runs of both layouts are found. */
  layout?: LayoutName
  clock?: Clock
  /** Names temporary files. */
  random?: Random
  /** Name of this host in locks. */
  host?: string
  /** Without a heartbeat for this long, an owner on another host counts as dead. */
  leaseMs?: number
  heartbeatMs?: number
  fileSystem?: FileSystem
}

/** Runs as files, with what a command needs besides. */
export interface FileStore extends RunStore {
  readonly root: string
  /** Where a run is. Throws RunNotFoundError. */
  locate(runId: string): Promise<RunLocations>
  /** Who holds the run's lease; undefined when nobody does. Throws RunNotFoundError. */
  owner(runId: string): Promise<RunOwnerState | undefined>
  /** Runs that `list` leaves out because they cannot be read, the one last written first. */
  unreadable(): Promise<UnreadableRun[]>
  /** Runs of other products in the working directory's project, newest first; to be shown only. */
  listForeign(): Promise<ForeignRunSummary[]>
  /** One of them by its id, also from the projects of parent folders; undefined when there is none. */
  loadForeign(runId: string): Promise<ForeignRun | undefined>
  /** Removes the project's runs that ended long ago. */
  prune(options: PruneOptions): Promise<PruneReport>
}

const LEASE_MS = 10_000
const HEARTBEAT_MS = 3_000

/** Opens the store. Nothing is read or made until it is used. */
export function openStore(options: StoreOptions): FileStore {
  const context: StoreContext = {
    disk: createDisk(options),
    root: resolve(options.root ?? resolveRoot()),
    cwd: resolve(options.cwd),
    layout: options.layout ?? 'session',
    codebuddyRoot: resolve(options.codebuddyRoot ?? resolveCodebuddyRoot()),
    clock: options.clock ?? systemClock(),
    processes: systemProcesses(options.host),
    leaseMs: options.leaseMs ?? LEASE_MS,
    heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
    abandoned: new Set(),
  }
  const search = searchOf(context)
  return {
    root: context.root,
    create: creation => createRun(context, creation),
    open: runId => openRun(context, runId),
    load: runId => loadRun(context, runId),
    list: () => listRuns(context),
    unreadable: () => listUnreadable(context),
    readBlob: async (runId, hash) => readBlob(context.disk, await findRun(search, runId), hash),
    async locate(runId) {
      const paths = await findRun(search, runId)
      return locationsOf(await withScriptName(search.fs, { paths, runId }))
    },
    owner: async runId => ownerOf(context, await findRun(search, runId)),
    listForeign: () => listForeignRuns(search),
    loadForeign: runId => loadForeignRun(search, runId),
    prune: prune => pruneRuns(context, prune),
  }
}
