/** Time as the runtime sees it. Milliseconds since the epoch. */
export interface Clock {
  now(): number
  /** Calls back once after `ms`; the handle cancels it. Pending timers do not keep a process alive by themselves. */
  timer(ms: number, callback: () => void): Timer
}

/** A pending timer. */
export interface Timer {
  cancel(): void
}
