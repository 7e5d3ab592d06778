import { lockId, type FoundLock, type LockContent } from './lock-file.ts'
import { samePlace, type ProcessTable } from './process-identity.ts'

/** Who owns a run, as its lock tells. */
export interface RunOwnerState extends LockContent {
  /**
   * Judged by pid and start of the process where it runs on this machine, by the age of the last heartbeat
   * elsewhere.
   */
  alive: boolean
  /** It runs on this machine, so that its pid means something here. */
  local: boolean
  /** Since the last heartbeat. */
  ageMs: number
}

export interface Judgement {
  /** Of the lock. */
  path: string
  /** Locks that nobody holds although their process lives; see `lockId`. */
  abandoned: ReadonlySet<string>
  processes: ProcessTable
  now: number
  leaseMs: number
}

/** Undefined for a lock that nobody can understand and nobody has touched for the length of a lease. */
export async function judgeOwner(lock: FoundLock, options: Judgement): Promise<RunOwnerState | undefined> {
  const { content } = lock
  const abandoned = options.abandoned.has(lockId(options.path, lock))
  if (!content) {
    const ageMs = options.now - lock.modifiedAt
    if (abandoned || ageMs > options.leaseMs) return undefined
    const unknown = { host: 'unknown', pid: 0, fence: 0, heartbeatAt: lock.modifiedAt }
    return { ...unknown, alive: true, local: false, ageMs }
  }
  const ageMs = options.now - content.heartbeatAt
  const [machine = '', started] = content.processStartedAt?.split('@') ?? []
  const place = await options.processes.place()
  const local =
    content.host === place.host && (machine === '' || samePlace({ host: content.host, machine }, place))
  if (content.released || abandoned) return { ...content, alive: false, local, ageMs }
  const alive = local ? await isRunning(options.processes, content.pid, started) : ageMs <= options.leaseMs
  return { ...content, alive, local, ageMs }
}

async function isRunning(
  processes: ProcessTable,
  pid: number,
  started: string | undefined,
): Promise<boolean> {
  const found = await processes.look(pid)
  if (!found) return false
  return started === undefined || found.started === undefined || found.started === started
}
