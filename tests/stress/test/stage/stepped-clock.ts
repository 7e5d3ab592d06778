import type { Clock } from '@tutti/runtime'

/** A clock whose timers fire one by one, when told to. */
export interface SteppedClock extends Clock {
  /** The next timer that is set belongs to this name. */
  nameNext(name: string): void
  /** Fires the named timer; false when it is not set. */
  fire(name: string): boolean
  /** Moves on to the timer that is due first and fires it; false when there is none. */
  fireEarliest(): boolean
  /** Names of the named timers that are set. */
  named(): string[]
}

interface Pending {
  due: number
  name: string | undefined
  callback: () => void
}

export function createSteppedClock(start: number): SteppedClock {
  const pending = new Set<Pending>()
  let now = start
  let nextName: string | undefined

  function fire(timer: Pending): void {
    pending.delete(timer)
    now = Math.max(now, timer.due)
    timer.callback()
  }

  return {
    now: () => now,
    timer(ms, callback) {
      const timer: Pending = { due: now + Math.max(0, ms), name: nextName, callback }
      nextName = undefined
      pending.add(timer)
      return { cancel: () => void pending.delete(timer) }
    },
    nameNext: name => (nextName = name),
    fire(name) {
      const timer = [...pending].find(candidate => candidate.name === name)
      if (timer !== undefined) fire(timer)
      return timer !== undefined
    },
    fireEarliest() {
      const [first] = [...pending].toSorted((a, b) => a.due - b.due)
      if (first !== undefined) fire(first)
      return first !== undefined
    },
    named: () => [...pending].flatMap(({ name }) => (name === undefined ? [] : [name])),
  }
}
