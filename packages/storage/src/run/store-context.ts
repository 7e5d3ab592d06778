import type { Clock } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import type { LayoutName, RunPaths } from '../layout.ts'
import { acquireLease } from '../lease/acquire-lease.ts'
import { judgeOwner, type RunOwnerState } from '../lease/judge-owner.ts'
import type { Lease } from '../lease/lease.ts'
import { lockId, readLock, type FoundLock } from '../lease/lock-file.ts'
import type { RunSearch } from './find-run.ts'
import type { ProcessIdentity, ProcessTable } from '../lease/process-identity.ts'

/** What every operation of a store works with. */
export interface StoreContext {
  disk: Disk
  root: string
  cwd: string
  /** Of new runs. */
  layout: LayoutName
  /** Folder in which CodeBuddy keeps what Claude Code keeps in `root`. */
  codebuddyRoot: string
  clock: Clock
  processes: ProcessTable
  leaseMs: number
  heartbeatMs: number
  /** Locks that this store gave up and could not remove. */
  abandoned: Set<string>
}

/** Where the runs of a store are looked for. */
export function searchOf({ disk, root, cwd, codebuddyRoot }: StoreContext): RunSearch {
  return { fs: disk.fs, root, cwd, codebuddyRoot }
}

/** Takes the lease of a run whose folder exists. */
export async function takeLease(
  context: StoreContext,
  runId: string,
  paths: RunPaths,
): Promise<{ lease: Lease; owner: ProcessIdentity }> {
  const { disk, clock, processes, leaseMs, heartbeatMs, abandoned } = context
  const [place, self] = await Promise.all([processes.place(), processes.look(process.pid)])
  const owner = { ...place, pid: process.pid, started: self?.started }
  const times = { clock, leaseMs, heartbeatMs }
  const lease = await acquireLease({ ...times, disk, runId, path: paths.lock, owner, processes, abandoned })
  return { lease, owner }
}

/** Who owns a run, as far as its lock tells; undefined when nobody holds it. */
export async function ownerOf(context: StoreContext, paths: RunPaths): Promise<RunOwnerState | undefined> {
  const lock = await readLock(context.disk.fs, paths.lock).catch(() => lockBeyondReading(context, paths.lock))
  const { processes, clock, leaseMs, abandoned } = context
  if (!lock || lock.content?.released || abandoned.has(lockId(paths.lock, lock))) return undefined
  return judgeOwner(lock, { processes, now: clock.now(), leaseMs, path: paths.lock, abandoned })
}

/** Counts as one that nobody can understand. */
async function lockBeyondReading({ disk }: StoreContext, path: string): Promise<FoundLock | undefined> {
  const found = await disk.fs.lstat(path).catch(() => undefined)
  if (!found?.isFile()) return undefined
  return { mark: '', inode: `${found.dev}:${found.ino}`, modifiedAt: found.mtimeMs }
}
