/** Lets one waiter wait for the next of many events; an event before the wait is not missed. */
export interface Wakeup {
  wake(): void
  wait(): Promise<void>
}

export function createWakeup(): Wakeup {
  let rung = false
  let resolve: (() => void) | undefined
  return {
    wake() {
      if (resolve === undefined) rung = true
      else resolve()
      resolve = undefined
    },
    wait() {
      if (rung) {
        rung = false
        return Promise.resolve()
      }
      return new Promise(done => (resolve = done))
    },
  }
}
