import type { JournalLine } from '@tutti/protocol'
import type { Named } from './names.ts'
import type { TraceEvent } from './trace.ts'

/** A trace with what nobody saw put in, and where journal and trace contradict each other. */
export interface Merged {
  trace: TraceEvent[]
  problems: string[]
}

/**
 * The journal tells the same deliveries as the script, in the same order, and besides those to children that have
 * ended. It may be one ahead when the attempt was cut short.
 */
export function withUnseen(
  trace: readonly TraceEvent[],
  lines: readonly JournalLine[],
  named: ReadonlyMap<string, Named>,
): Merged {
  const ids = new Map([...named].filter(([, { refused }]) => !refused).map(([id, { name }]) => [name, id]))
  const told = lines.flatMap(line =>
    line.type === 'delivered' ? [line.name ?? `${line.key}#${line.n}`] : [],
  )
  const ended = new Set<string>()
  const merged: TraceEvent[] = []
  let next = 0

  /** Puts in what was handed to ended children before the thing of that name. */
  function unseenBefore(name: string | undefined): void {
    for (; next < told.length && told[next] !== name; next++) {
      const id = ids.get(told[next]!)
      if (id === undefined || !ended.has(named.get(id)!.path)) return
      merged.push({ type: 'delivered', id, value: UNSEEN })
    }
  }

  for (const event of trace) {
    if (event.type === 'ended') ended.add(event.path)
    const mine = event.type === 'delivered' ? named.get(event.id) : undefined
    if (mine?.refused === false) {
      unseenBefore(mine.name)
      if (told[next] !== mine.name) {
        return {
          trace: [...trace],
          problems: [`the script got ${mine.name}, the journal says ${told[next]}`],
        }
      }
      next++
    }
    merged.push(event)
  }
  unseenBefore(undefined)
  const ahead = told.length - next
  const problems = ahead > 1 ? [`the journal tells of ${ahead} deliveries that the script never got`] : []
  return { trace: merged, problems }
}

/** Stands for the value of a delivery that nobody saw. */
export const UNSEEN: string = '\0unseen'
