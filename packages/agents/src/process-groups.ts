import { createWatchdog } from './watchdog.ts'

/** The process groups that agents of one program have running. */
export interface ProcessGroups {
  add(group: number): void
  remove(group: number): void
  /** Kills all of them at once and without waiting: for the moment in which the program itself ends. */
  killAll(): void
}

/** Groups that are added end with this process, also when it is killed. */
export function createProcessGroups(): ProcessGroups {
  const running = new Set<number>()
  const watchdog = createWatchdog()
  return {
    add(group) {
      running.add(group)
      watchdog.watch(group)
    },
    remove(group) {
      running.delete(group)
      watchdog.forget(group)
    },
    killAll() {
      for (const group of running) {
        try {
          process.kill(-group, 'SIGKILL')
        } catch {
          // Nothing of it is left.
        }
      }
      running.clear()
    },
  }
}
