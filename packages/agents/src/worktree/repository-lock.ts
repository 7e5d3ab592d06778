import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './is-alive.ts'

const LONGEST_HOLD_MS = 60_000
const POLL_MS = 15

/** The last of this process in line for each lock. */
const lines = new Map<string, Promise<unknown>>()

/**
 * Does `work` while no other process of this machine, and nobody else in this one, holds the lock of that path.
 * A lock whose owner is gone, or that is held for a minute, is taken over.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const before = lines.get(path) ?? Promise.resolve()
  const mine = before.then(() => locked(path, work))
  const settled = mine.catch(() => {})
  lines.set(path, settled)
  try {
    return await mine
  } finally {
    if (lines.get(path) === settled) lines.delete(path)
  }
}

async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  const token = randomUUID()
  await acquire(path, token)
  try {
    return await work()
  } finally {
    if ((await ownerOf(path))?.token === token) await rm(path, { force: true })
  }
}

interface Owner {
  pid: number
  host: string
  token: string
}

/** A link appears with its content or not at all, so no reader sees half a lock. */
async function acquire(path: string, token: string): Promise<void> {
  const draft = `${path}.${token}`
  await writeFile(draft, JSON.stringify({ pid: process.pid, host: hostname(), token }), { mode: 0o600 })
  try {
    while (!(await linked(draft, path))) {
      if (await isAbandoned(path)) await takeAway(path)
      else await sleep(POLL_MS * (0.5 + Math.random()))
    }
  } finally {
    await rm(draft, { force: true })
  }
}

async function linked(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Renamed first: of several that find it abandoned one removes it, and only that one. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  await rename(path, aside).catch(() => {})
  await rm(aside, { force: true })
}

async function isAbandoned(path: string): Promise<boolean> {
  const [owner, facts] = await Promise.all([ownerOf(path), stat(path).catch(() => undefined)])
  if (facts === undefined) return false
  if (Date.now() - facts.mtimeMs > LONGEST_HOLD_MS) return true
  return owner !== undefined && owner.host === hostname() && !isAlive(owner.pid)
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}
