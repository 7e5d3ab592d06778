import { basename, dirname } from 'node:path'
import { constants } from 'node:fs'
import type { Disk, FileHandle, FileSystem } from '../files/file-system.ts'
import { errnoOf, isMissing } from '../files/file-errors.ts'
import { NO_FOLLOW } from '../files/read-text.ts'
import { FILE_MODE, temporaryName, writeFully } from '../files/write-atomically.ts'
import type { ProcessIdentity } from './process-identity.ts'

/** What a lock says. */
export interface LockContent {
  host: string
  pid: number
  /** `<start of the machine>/<pid namespace>@<start of the process>` where the system tells. */
  processStartedAt?: string
  fence: number
  /** Milliseconds since the epoch. */
  heartbeatAt: number
  /** Its owner gave the run up but could not remove the lock. */
  released?: true
}

/** A lock as found. */
export interface FoundLock {
  /** Absent when it cannot be understood. */
  content?: LockContent
  /** Tells this file, and this state of it, from any other. */
  mark: string
  inode: string
  modifiedAt: number
}

/** Every lock has this size, so that its owner can rewrite it in place with one write. */
const LOCK_BYTES = 512

/** A lock file of our own that is not in its place yet. */
export async function writeCandidate(
  disk: Disk,
  path: string,
  content: LockContent,
): Promise<{ path: string; handle: FileHandle }> {
  const temporary = temporaryName(disk, path)
  const handle = await disk.fs.open(temporary, 'wx+', FILE_MODE)
  try {
    await writeFully(handle, encodeLock(content))
  } catch (error) {
    await handle.close()
    await disk.fs.unlink(temporary).catch(() => {})
    throw error
  }
  return { path: temporary, handle }
}

/** Rewrites the lock behind the handle, wherever its name is by now. */
export async function rewriteLock(handle: FileHandle, content: LockContent): Promise<void> {
  const bytes = encodeLock(content)
  await handle.write(bytes, 0, bytes.length, 0)
}

/** The lock at `path`; undefined when there is none. */
export async function readLock(fs: FileSystem, path: string): Promise<FoundLock | undefined> {
  let handle
  try {
    handle = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
  try {
    const [text, stat] = [await handle.readFile('utf8'), await handle.stat()]
    const inode = `${stat.dev}:${stat.ino}`
    return { content: decodeLock(text), mark: `${inode}:${text}`, inode, modifiedAt: stat.mtimeMs }
  } finally {
    await handle.close()
  }
}

/** Gives the file a second name; false when the name is taken. */
export async function linkExclusively(fs: FileSystem, from: string, to: string): Promise<boolean> {
  try {
    await fs.link(from, to)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Who takes over the lock of fence n first makes `<lock>.<n + 1>`. */
export function claimPath(lock: string, fence: number): string {
  return `${lock}.${fence}`
}

/** Fences that are claimed at this moment. */
export async function claimedFences(fs: FileSystem, lock: string): Promise<number[]> {
  const prefix = `${basename(lock)}.`
  const names = await fs.readdir(dirname(lock))
  return names
    .filter(name => name.startsWith(prefix) && /^\d{1,15}$/.test(name.slice(prefix.length)))
    .map(name => Number(name.slice(prefix.length)))
}

/** The claims of a lock, as paths. */
export function claimsBelow(lock: string, fences: number[], fence: number): string[] {
  return fences.filter(claimed => claimed < fence).map(claimed => claimPath(lock, claimed))
}

/** Tells one holding of a lock by one process from every other. */
export function lockId(path: string, { inode, content }: Pick<FoundLock, 'inode' | 'content'>): string {
  return [path, inode, content?.fence, content?.pid, content?.processStartedAt].join('#')
}

export function lockContent(owner: ProcessIdentity, fence: number, heartbeatAt: number): LockContent {
  const started = owner.started === undefined ? {} : { processStartedAt: `${owner.machine}@${owner.started}` }
  return { host: owner.host, pid: owner.pid, ...started, fence, heartbeatAt }
}

function encodeLock(content: LockContent): Buffer {
  const text = Buffer.from(JSON.stringify(content))
  const bytes = Buffer.alloc(Math.max(LOCK_BYTES, text.length + 1), ' ')
  text.copy(bytes)
  bytes[bytes.length - 1] = 0x0a
  return bytes
}

function decodeLock(text: string): LockContent | undefined {
  try {
    const value = JSON.parse(text) as Partial<LockContent>
    const { host, pid, fence, heartbeatAt, processStartedAt, released } = value
    if (typeof host !== 'string' || !Number.isSafeInteger(pid) || !Number.isSafeInteger(fence))
      return undefined
    if (typeof heartbeatAt !== 'number' || (pid as number) <= 0) return undefined
    const started = typeof processStartedAt === 'string' ? { processStartedAt } : {}
    const given = released === true ? { released } : {}
    return { host, pid: pid as number, ...started, fence: fence as number, heartbeatAt, ...given }
  } catch {
    return undefined
  }
}
