import { setTimeout as sleep } from 'node:timers/promises'
import { createProcessGroups, type ProcessGroups } from '../process-groups.ts'

/** Process groups that remember all that was ever started. */
export interface TrackedGroups extends ProcessGroups {
  /** Whether anything of any of them is still there, once the system had time to clear up what was killed. */
  leftBehind(): Promise<boolean>
  /** Kills what is there now, as a crash would. */
  crash(): void
}

const PATIENCE_MS = 3_000
const POLL_MS = 20

export function trackGroups(): TrackedGroups {
  const groups = createProcessGroups()
  const all = new Set<number>()
  const signal = (group: number, name: NodeJS.Signals | 0): boolean => {
    try {
      process.kill(-group, name)
      return true
    } catch {
      return false
    }
  }
  return {
    ...groups,
    add(group) {
      all.add(group)
      groups.add(group)
    },
    async leftBehind() {
      const isThere = (): boolean => [...all].some(group => signal(group, 0))
      for (let waited = 0; waited < PATIENCE_MS && isThere(); waited += POLL_MS) await sleep(POLL_MS)
      return isThere()
    },
    crash: () => all.forEach(group => signal(group, 'SIGKILL')),
  }
}
