import { join } from 'node:path'
import { unlinkQuietly } from '../files/remove.ts'
import { lockLeftovers } from '../layout.ts'
import type { StoreContext } from '../run/store-context.ts'
import { judgeOwner } from './judge-owner.ts'
import { readLock } from './lock-file.ts'

/**
 * Removes what processes left beside a lock that died while they tried for it. What belongs to a living one stays, and
 * so does for the length of a lease what tells nothing.
 */
export async function removeDeadCandidates(context: StoreContext, lock: string): Promise<void> {
  const { fs } = context.disk
  const { directory, isLeftover } = lockLeftovers(lock)
  const names = (await fs.readdir(directory).catch((): string[] => [])).filter(isLeftover)
  await Promise.all(names.map(name => removeIfDead(context, join(directory, name))))
}

async function removeIfDead({ disk, processes, clock, leaseMs }: StoreContext, path: string): Promise<void> {
  const found = await readLock(disk.fs, path).catch(() => undefined)
  if (!found) return
  const owner = await judgeOwner(found, { processes, now: clock.now(), leaseMs, path, abandoned: new Set() })
  if (owner?.alive !== true) await unlinkQuietly(disk.fs, path)
}
