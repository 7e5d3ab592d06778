import { dirname } from 'node:path'
import { LeaseError, type Clock } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import { makeDirectory, makeRoot } from '../files/make-directory.ts'
import { acquireLease } from '../lease/acquire-lease.ts'
import { judgeOwner, type RunOwnerState } from '../lease/judge-owner.ts'
import { readLock } from '../lease/lock-file.ts'
import { systemProcesses } from '../lease/process-identity.ts'

/** The right to write a transcript; it ends when it is given up, or with the process. */
export interface SessionLease extends AsyncDisposable {
  release(): Promise<void>
}

export interface SessionPlace {
  disk: Disk
  clock: Clock
  root: string
  sessionId: string
  /** Of the lock. */
  path: string
}

const LEASE_MS = 10_000
const HEARTBEAT_MS = 3000

/** Throws LeaseError `run-is-owned` while another process writes it, JournalError when no lock can be made. */
export async function leaseSession({
  disk,
  clock,
  root,
  sessionId,
  path,
}: SessionPlace): Promise<SessionLease> {
  await makeRoot(disk, root)
  await makeDirectory(disk, root, dirname(path))
  const processes = systemProcesses()
  const [place, self] = await Promise.all([processes.place(), processes.look(process.pid)])
  const lease = await acquireLease({
    disk,
    clock,
    runId: sessionId,
    path,
    owner: { ...place, pid: process.pid, started: self?.started },
    leaseMs: LEASE_MS,
    heartbeatMs: HEARTBEAT_MS,
    abandoned: new Set(),
    processes,
    refusal: owner => inUse(sessionId, owner),
  })
  const release = (): Promise<void> => lease.release()
  return { release, [Symbol.asyncDispose]: release }
}

/** Somebody writes it now, as far as its lock tells. */
export async function isSessionInUse({
  disk,
  clock,
  path,
}: Omit<SessionPlace, 'root' | 'sessionId'>): Promise<boolean> {
  const lock = await readLock(disk.fs, path)
  if (lock === undefined) return false
  const judgement = { path, abandoned: new Set<string>(), now: clock.now(), leaseMs: LEASE_MS }
  return (await judgeOwner(lock, { ...judgement, processes: systemProcesses() }))?.alive === true
}

function inUse(sessionId: string, owner: RunOwnerState): LeaseError {
  const hint = `To go on with what was said in a session of its own: --resume ${sessionId} --fork-session`
  return new LeaseError(
    'run-is-owned',
    `Session ${sessionId} is in use by process ${owner.pid} on ${owner.host}, and two cannot write one transcript. ` +
      `${hint}; or wait until that process has ended.`,
    { hint },
  )
}
