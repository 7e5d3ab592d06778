/** Lets a few in at a time; the others wait outside, where they need next to nothing. */
export interface Doorway {
  /** Gives the way out, which may be taken more than once. Never rejects; aborted ones need not wait. */
  enter(signal: AbortSignal): Promise<() => void>
}

export function createDoorway(places: number): Doorway {
  const waiting = new Set<() => void>()
  let inside = 0

  function next(): void {
    const [wake] = waiting
    if (wake && inside < places) wake()
  }

  return {
    enter: signal =>
      new Promise(resolve => {
        let left = false
        const leave = (): void => {
          if (left) return
          left = true
          inside--
          next()
        }
        const goIn = (): void => {
          waiting.delete(goIn)
          signal.removeEventListener('abort', goIn)
          inside++
          resolve(leave)
        }
        if (signal.aborted || inside < places) return goIn()
        waiting.add(goIn)
        signal.addEventListener('abort', goIn, { once: true })
      }),
  }
}
