import type { JournalEntry } from '@tutti/protocol'
import type { RunStore, RunWriter } from '@tutti/runtime'

/** A store that tells of every line before it is written (`before`) and after (`after`). */
export interface Watcher {
  before?(entry: JournalEntry): void
  after?(entry: JournalEntry): void
}

export function watchedStore(store: RunStore, watcher: Watcher): RunStore {
  const watched = (writer: RunWriter): RunWriter => ({
    ...writer,
    // Spread loses nothing: writers are plain objects, and `lost` is one signal for good.
    append(attempt, entry) {
      watcher.before?.(entry)
      const done = writer.append(attempt, entry)
      watcher.after?.(entry)
      return done
    },
    appendLater(attempt, entry) {
      watcher.before?.(entry)
      writer.appendLater(attempt, entry)
      watcher.after?.(entry)
    },
  })
  return {
    ...store,
    create: async creation => watched(await store.create(creation)),
    open: async runId => {
      const { run, writer } = await store.open(runId)
      return { run, writer: watched(writer) }
    },
  }
}
