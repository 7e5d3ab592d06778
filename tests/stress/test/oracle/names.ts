import { callKey } from './call-key.ts'
import type { TraceEvent } from './trace.ts'

/** What a call or timer of a trace is called in the journal. */
export interface Named {
  /** `key#n`, or the name of the timer. */
  name: string
  path: string
  /** A call that the runtime refuses: it has no line in the journal. */
  refused: boolean
}

/** Names calls and timers in the order in which they were issued. `limit`: calls per run. */
export function nameAll(trace: readonly TraceEvent[], limit: number): Map<string, Named> {
  const named = new Map<string, Named>()
  const counts = new Map<string, number>()
  let calls = 0
  const count = (what: string): number => {
    const n = (counts.get(what) ?? 0) + 1
    counts.set(what, n)
    return n
  }
  for (const event of trace) {
    if (event.type === 'timer') {
      const { id, path } = event
      named.set(id, { name: `timer:${path}:${count(`timer:${path}`)}`, path, refused: false })
    } else if (event.type === 'issued') {
      const { id, path, prompt, options } = event
      if (options.nonsense === true) {
        named.set(id, { name: id, path, refused: true })
        continue
      }
      const key = callKey(path, prompt, options)
      named.set(id, { name: `${key}#${count(key)}`, path, refused: ++calls > limit })
    }
  }
  return named
}
