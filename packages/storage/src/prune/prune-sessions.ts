import type { Clock } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import { unlinkQuietly } from '../files/remove.ts'
import { sessionLock } from '../layout.ts'
import { openSessionFiles, TRANSCRIPT_PROGRAM } from '../session/session-files.ts'
import { isSessionInUse } from '../session/session-lease.ts'
import { removeEntry } from './remove-tree.ts'

export interface PrunedSession {
  sessionId: string
  /** Milliseconds since the epoch. */
  modifiedAt: number
  bytes: number
}

export interface PruneSessionsOptions {
  disk: Disk
  clock: Clock
  root: string
  cwd: string
  /** Transcripts last written before this go. */
  before: number
  dryRun: boolean
  /** Sessions that still have runs; theirs stay. */
  needed: ReadonlySet<string>
}

/** Removes old transcripts of our sessions that nobody writes and no run belongs to. The oldest is the first. */
export async function pruneSessions(options: PruneSessionsOptions): Promise<PrunedSession[]> {
  const { disk, clock, root, cwd, before, dryRun, needed } = options
  const files = openSessionFiles({ cwd, root, fileSystem: disk.fs, clock })
  const removed: PrunedSession[] = []
  for (const { sessionId, path, modifiedAt } of (await files.list()).toReversed()) {
    if (modifiedAt >= before || needed.has(sessionId)) continue
    if (!(await files.beginning(sessionId)).includes(`"program":"${TRANSCRIPT_PROGRAM}"`)) continue
    const lock = sessionLock(path)
    if (await isSessionInUse({ disk, clock, path: lock }).catch(() => true)) continue
    const { size } = await disk.fs.lstat(path)
    if (!dryRun) {
      await removeEntry(disk.fs, { path, isDirectory: false, bytes: size })
      await unlinkQuietly(disk.fs, lock)
    }
    removed.push({ sessionId, modifiedAt, bytes: size })
  }
  return removed
}
