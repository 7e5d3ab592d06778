import type { Clock } from '@tutti/runtime'

/** Requests that begin with the same text. An endpoint can serve it from its cache once one was answered. */
export interface PrefixGroups {
  /** Returns at once for the first of a group; for the others when it was answered, or after their patience. */
  enter(prefix: string, signal: AbortSignal): Promise<PrefixPass>
}

export interface PrefixPass {
  /** The endpoint has begun to answer. */
  answered(): void
  /** The agent has ended, answered or not. */
  ended(): void
}

/** As long as endpoints keep a text that nobody asks for. */
const KEPT_MS = 5 * 60 * 1000

interface Group {
  /** Undefined while the first is under way. */
  usedAt?: number
  waiting: Set<() => void>
}

/** `staggerMs`: the longest wait of a request. 0: none waits. */
export function createPrefixGroups(clock: Clock, staggerMs: number): PrefixGroups {
  const groups = new Map<string, Group>()
  if (staggerMs <= 0) return { enter: async () => ({ answered: () => {}, ended: () => {} }) }

  function release(group: Group): void {
    for (const wake of group.waiting) wake()
    group.waiting.clear()
  }

  function passOf(prefix: string, group: Group): PrefixPass {
    return {
      answered() {
        group.usedAt = clock.now()
        release(group)
      },
      ended() {
        if (group.usedAt !== undefined || groups.get(prefix) !== group) return
        groups.delete(prefix)
        release(group)
      },
    }
  }

  return {
    async enter(prefix, signal) {
      const deadline = clock.now() + staggerMs
      for (;;) {
        forget(groups, clock.now() - KEPT_MS)
        const group = groups.get(prefix)
        if (!group) {
          const first: Group = { waiting: new Set() }
          groups.set(prefix, first)
          return passOf(prefix, first)
        }
        const left = deadline - clock.now()
        if (group.usedAt !== undefined || left <= 0 || signal.aborted)
          return { answered: () => (group.usedAt = clock.now()), ended: () => {} }
        await waitIn(group, left, { clock, signal })
      }
    },
  }
}

function forget(groups: Map<string, Group>, before: number): void {
  for (const [prefix, { usedAt }] of groups)
    if (usedAt !== undefined && usedAt < before) groups.delete(prefix)
}

async function waitIn(
  group: Group,
  ms: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  let release: () => void = () => {}
  await new Promise<void>(resolve => {
    const leave = (): void => resolve()
    const timer = clock.timer(ms, leave)
    group.waiting.add(leave)
    signal.addEventListener('abort', leave, { once: true })
    release = () => {
      timer.cancel()
      group.waiting.delete(leave)
      signal.removeEventListener('abort', leave)
    }
  })
  release()
}
