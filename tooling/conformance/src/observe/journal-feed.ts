import type { JournalEntry } from '@tutti/protocol'

/** Takes the entries of one step in order; knows which label a terminal line belongs to. */
export interface JournalFeed {
  see(entry: JournalEntry): void
}

export interface JournalListener {
  started?(label: string): void
  settled?(label: string): void
}

export function journalFeed(listener: JournalListener): JournalFeed {
  const labels = new Map<string, string>()
  return {
    see(entry) {
      if (entry.type === 'started') {
        labels.set(`${entry.key} ${entry.n}`, entry.label)
        listener.started?.(entry.label)
      }
      if (entry.type === 'result' || entry.type === 'failed') {
        listener.settled?.(entry.label ?? labels.get(`${entry.key} ${entry.n}`) ?? '')
      }
    },
  }
}
