import { LeaseError } from '@tutti/runtime'
import { isMissing, writeFailed } from '../files/file-errors.ts'
import type { FileHandle, FileSystem } from '../files/file-system.ts'
import { unlinkQuietly } from '../files/remove.ts'
import { judgeOwner, type Judgement, type RunOwnerState } from './judge-owner.ts'
import { Lease, type LeaseOptions } from './lease.ts'
import {
  claimedFences,
  claimPath,
  claimsBelow,
  linkExclusively,
  lockContent,
  readLock,
  writeCandidate,
  type FoundLock,
} from './lock-file.ts'
import type { ProcessTable } from './process-identity.ts'

// How exactly one of many wins. A free run: the lock is made by link(), which fails if it exists. A dead
// owner of fence n: the claim `<lock>.<n + 1>` is made by link(), then the lock must still be the one that
// was judged, then the claim is renamed over it. Only the holder of the claim may replace that lock, and a
// holder that died is passed by the claim n + 2.

export interface AcquireOptions extends LeaseOptions {
  processes: ProcessTable
  /** What is thrown while somebody else has it; default: that the run is owned. */
  refusal?(owner: RunOwnerState): LeaseError
}

type Held = ConstructorParameters<typeof Lease>[1]

const MAX_ROUNDS = 200

/** Takes the lease of a run. Throws LeaseError `run-is-owned`, JournalError when the lock cannot be written. */
export async function acquireLease(options: AcquireOptions): Promise<Lease> {
  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const lock = await readLock(options.disk.fs, options.path)
      const held = lock ? await takeOver(options, lock) : await takeFree(options)
      if (held) return new Lease(options, held)
    }
  } catch (error) {
    throw writeFailed(options.path, error)
  }
  throw new LeaseError(
    'run-is-owned',
    `Run ${options.runId} changes hands all the time; try again in a moment.`,
  )
}

async function takeFree(options: LeaseOptions): Promise<Held | undefined> {
  return withCandidate(options, 1, async candidate =>
    linkExclusively(options.disk.fs, candidate, options.path),
  )
}

async function takeOver(options: AcquireOptions, lock: FoundLock): Promise<Held | undefined> {
  const { fs } = options.disk
  const claimed = Math.max(0, ...(await claimedFences(fs, options.path)))
  const claimant = claimed > 0 ? await readLock(fs, claimPath(options.path, claimed)) : undefined
  for (const found of [lock, claimant]) {
    const owner = found && (await judgeOwner(found, judgement(options)))
    if (owner?.alive) throw options.refusal?.(owner) ?? owned(options.runId, owner)
  }
  const fence = Math.max(lock.content?.fence ?? 0, claimed) + 1
  const claim = claimPath(options.path, fence)
  return withCandidate(options, fence, async candidate => {
    if (!(await linkExclusively(fs, candidate, claim))) return false
    const fences = await claimedFences(fs, options.path)
    const unchanged = (await readLock(fs, options.path))?.mark === lock.mark
    if (!unchanged || fences.some(other => other > fence)) {
      await unlinkQuietly(fs, claim)
      return false
    }
    await fs.rename(claim, options.path)
    await Promise.all(claimsBelow(options.path, fences, fence).map(path => unlinkQuietly(fs, path)))
    return true
  })
}

/** Writes a lock under a name of its own and keeps it open if `place` could put it in its place. */
async function withCandidate(
  options: LeaseOptions,
  fence: number,
  place: (candidate: string) => Promise<boolean>,
): Promise<Held | undefined> {
  const { disk, owner, clock, path } = options
  const candidate = await writeCandidate(disk, path, lockContent(owner, fence, clock.now()))
  let placed = false
  try {
    placed = await place(candidate.path)
    if (!placed) return undefined
    return { handle: candidate.handle, inode: await inodeOf(candidate.handle), fence }
  } catch (error) {
    // The lock or a claim vanished under our hands: look again.
    if (isMissing(error) && (await exists(disk.fs, candidate.path))) return undefined
    throw error
  } finally {
    await unlinkQuietly(disk.fs, candidate.path)
    if (!placed) await candidate.handle.close()
  }
}

function judgement({ processes, clock, leaseMs, path, abandoned }: AcquireOptions): Judgement {
  return { processes, now: clock.now(), leaseMs, path, abandoned }
}

async function inodeOf(handle: FileHandle): Promise<string> {
  const { dev, ino } = await handle.stat()
  return `${dev}:${ino}`
}

async function exists(fs: FileSystem, path: string): Promise<boolean> {
  return fs.lstat(path).then(
    () => true,
    () => false,
  )
}

function owned(runId: string, owner: RunOwnerState): LeaseError {
  const age = `${(Math.max(0, owner.ageMs) / 1000).toFixed(1)} s`
  const hint = `Stop it with: tutti stop ${runId}`
  return new LeaseError(
    'run-is-owned',
    `Run ${runId} is owned by process ${owner.pid} on ${owner.host} (last sign of life ${age} ago). ${hint}, or wait ` +
      `until it has ended.`,
    { hint },
  )
}
