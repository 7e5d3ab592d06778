/** The process groups that agents of one program have running. */
export interface ProcessGroups {
  add(group: number): void
  remove(group: number): void
  /** Kills all of them at once and without waiting: for the moment in which the program itself ends. */
  killAll(): void
}

export function createProcessGroups(): ProcessGroups {
  const running = new Set<number>()
  return {
    add: group => void running.add(group),
    remove: group => void running.delete(group),
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
