import type { JournalEntry } from '@tutti/protocol'
import type { RunStore, RunWriter } from '@tutti/runtime'

/** The same store; `seen` gets every journal entry, those that are waited for once they are durable. */
export function observeStore(store: RunStore, seen: (entry: JournalEntry) => void): RunStore {
  return {
    create: async creation => observeWriter(await store.create(creation), seen),
    open: async runId => {
      const { run, writer } = await store.open(runId)
      return { run, writer: observeWriter(writer, seen) }
    },
    load: runId => store.load(runId),
    list: () => store.list(),
    readBlob: (runId, hash) => store.readBlob(runId, hash),
  }
}

function observeWriter(writer: RunWriter, seen: (entry: JournalEntry) => void): RunWriter {
  return {
    fence: writer.fence,
    locations: writer.locations,
    lost: writer.lost,
    append: async (attempt, entry) => {
      await writer.append(attempt, entry)
      seen(entry)
    },
    appendLater(attempt, entry) {
      writer.appendLater(attempt, entry)
      seen(entry)
    },
    writeScript: source => writer.writeScript(source),
    writeRecord: record => writer.writeRecord(record),
    writeOutput: text => writer.writeOutput(text),
    writeBlob: text => writer.writeBlob(text),
    transcript: (transcriptId, meta) => writer.transcript(transcriptId, meta),
    readTranscript: transcriptId => writer.readTranscript(transcriptId),
    close: () => writer.close(),
  }
}
