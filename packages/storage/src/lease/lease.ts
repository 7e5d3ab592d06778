import { isTuttiError, LeaseError } from '@tutti/runtime'
import type { Clock, Timer } from '@tutti/runtime'
import { unlinkQuietly } from '../files/remove.ts'
import { isMissing, writeFailed } from '../files/file-errors.ts'
import type { Disk, FileHandle } from '../files/file-system.ts'
import { linkExclusively, lockContent, lockId, readLock, rewriteLock, writeCandidate } from './lock-file.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** What a lease needs to live on. */
export interface LeaseOptions {
  disk: Disk
  clock: Clock
  runId: string
  /** Path of the lock. */
  path: string
  owner: ProcessIdentity
  leaseMs: number
  heartbeatMs: number
  /** Locks of this process that nobody holds and that could not be removed; see `lockId`. */
  abandoned: Set<string>
}

/**
 * The right to write a run. The owner rewrites its lock in place, through a handle, so a lock that another
 * process has put there meanwhile is never touched. Ends when another owner's lock is found in its place.
 */
export class Lease {
  readonly #options: LeaseOptions
  #handle: FileHandle
  #inode: string
  #fence: number
  #checkedAt: number
  #beatAt: number
  #timer: Timer | undefined
  #released = false
  #lost: Error | undefined
  #checking: Promise<void> | undefined
  /** Called once, when the lease is lost without having been released. */
  onLost: (reason: Error) => void = () => {}

  constructor(options: LeaseOptions, held: { handle: FileHandle; inode: string; fence: number }) {
    this.#options = options
    this.#handle = held.handle
    this.#inode = held.inode
    this.#fence = held.fence
    this.#checkedAt = options.clock.now()
    this.#beatAt = this.#checkedAt
    this.#schedule()
  }

  get fence(): number {
    return this.#fence
  }

  /** Lifts the fence above one that the journal knows. */
  async raiseFence(fence: number): Promise<void> {
    if (fence <= this.#fence) return
    this.#fence = fence
    await this.#beat()
  }

  /** Looks at the lock if the last look is longer ago than a heartbeat. Throws when the lease is lost. */
  async ensureHeld(): Promise<void> {
    if (this.#lost) throw this.#lost
    if (this.#options.clock.now() - this.#checkedAt <= this.#options.heartbeatMs) return
    // A lock that cannot be read for a moment is not a lost one.
    await this.check().catch(() => {})
    if (this.#lost) throw this.#lost
  }

  /** Looks at the lock. Throws LeaseError `lease-lost`, or JournalError when the folder is gone. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  /** Gives the run up. Never throws. */
  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    this.#timer?.cancel()
    await this.#checking?.catch(() => {})
    try {
      const found = await readLock(this.#options.disk.fs, this.#options.path)
      if (found?.inode === this.#inode) await this.#options.disk.fs.unlink(this.#options.path)
    } catch {
      await this.#markReleased()
    } finally {
      await this.#handle.close().catch(() => {})
    }
  }

  /** For a lock that cannot be removed: this process may live on, and would else count as the owner. */
  async #markReleased(): Promise<void> {
    const { abandoned, clock, owner, path } = this.#options
    const content = { ...lockContent(owner, this.#fence, clock.now()), released: true as const }
    abandoned.add(lockId(path, { inode: this.#inode, content }))
    // The next write may leave half of its text.
    abandoned.add(lockId(path, { inode: this.#inode }))
    await rewriteLock(this.#handle, content).catch(() => {})
  }

  #schedule(): void {
    this.#timer = this.#options.clock.timer(this.#options.heartbeatMs, () => {
      void this.#heartbeat()
    })
  }

  async #heartbeat(): Promise<void> {
    try {
      await this.check()
      await this.#beat()
    } catch (error) {
      const silentMs = this.#options.clock.now() - this.#beatAt
      if (!this.#lost && silentMs > this.#options.leaseMs) this.#lose(writeFailed(this.#options.path, error))
    }
    if (!this.#released && !this.#lost) this.#schedule()
  }

  async #beat(): Promise<void> {
    const { clock, owner } = this.#options
    const now = clock.now()
    await rewriteLock(this.#handle, lockContent(owner, this.#fence, now))
    this.#beatAt = now
  }

  async #check(): Promise<void> {
    if (this.#lost) throw this.#lost
    const { disk, path, clock } = this.#options
    try {
      const now = clock.now()
      const found = await readLock(disk.fs, path)
      if (found && found.inode !== this.#inode) throw this.#takenOver(found.content)
      // Gone: taken over and given up while this process slept, or else removed by hand.
      if (!found && now - this.#beatAt > this.#options.leaseMs) throw this.#takenOver(undefined)
      if (!found) await this.#putBack()
      this.#checkedAt = now
    } catch (error) {
      if (isTuttiError(error) || isMissing(error)) this.#lose(writeFailed(path, error))
      throw this.#lost ?? error
    }
  }

  async #putBack(): Promise<void> {
    const { disk, path, owner, clock } = this.#options
    const candidate = await writeCandidate(disk, path, lockContent(owner, this.#fence, clock.now()))
    try {
      const { dev, ino } = await candidate.handle.stat()
      if (!(await linkExclusively(disk.fs, candidate.path, path))) {
        throw this.#takenOver((await readLock(disk.fs, path))?.content)
      }
      await this.#handle.close().catch(() => {})
      this.#handle = candidate.handle
      this.#inode = `${dev}:${ino}`
    } catch (error) {
      await candidate.handle.close()
      throw error
    } finally {
      await unlinkQuietly(disk.fs, candidate.path)
    }
  }

  #takenOver(by: { host: string; pid: number } | undefined): LeaseError {
    const who = by ? `process ${by.pid} on ${by.host}` : 'another process'
    return new LeaseError(
      'lease-lost',
      `Run ${this.#options.runId} was taken over by ${who}: this process went silent for longer than its lease of ` +
        `${this.#options.leaseMs} ms. It stops writing; the new owner goes on.`,
      { hint: `Follow it with: tutti show ${this.#options.runId}` },
    )
  }

  #lose(reason: Error): void {
    if (this.#lost || this.#released) return
    this.#lost = reason
    this.#timer?.cancel()
    this.onLost(reason)
  }
}
