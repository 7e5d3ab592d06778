import { dirname } from 'node:path'
import type { JournalEntry, JsonObject, RunRecord } from '@tutti/protocol'
import type { RunWriter, TranscriptSink } from '@tutti/runtime'
import { writeFailed } from '../files/file-errors.ts'
import type { Disk, FileHandle } from '../files/file-system.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { writeAtomically } from '../files/write-atomically.ts'
import { encodeLine } from '../journal/encode-line.ts'
import { JournalWriter } from '../journal/journal-writer.ts'
import type { RunPaths } from '../layout.ts'
import type { Lease } from '../lease/lease.ts'
import type { ProcessIdentity } from '../lease/process-identity.ts'
import { openBlobs } from './blobs.ts'
import { endRecord, isEnded } from './end-record.ts'
import { latestFile } from './latest-file.ts'
import { locationsOf, recordOwner } from './run-locations.ts'
import { openTranscripts } from './transcripts.ts'

/** What a writer is made of. It owns the lease and the handle from here on. */
export interface RunWriterParts {
  disk: Disk
  paths: RunPaths
  lease: Lease
  owner: ProcessIdentity
  /** As it is in its copy. */
  script: string
  journal: { handle: FileHandle; size: number; lastSeq: number }
}

/** The writer of a run whose lease is held. */
export function createRunWriter(parts: RunWriterParts): RunWriter {
  const { disk, paths, lease, owner, journal } = parts
  const lost = new AbortController()
  const ensureHeld = (): Promise<void> => lease.ensureHeld()
  const lines = new JournalWriter({
    handle: journal.handle,
    path: paths.journal,
    size: journal.size,
    ensureHeld,
    onFailed: reason => lost.abort(reason),
  })
  lease.onLost = reason => lines.fail(reason)
  const record = latestFile(disk, paths.record, ensureHeld)
  const output = latestFile(disk, paths.output, ensureHeld)
  const ended = paths.endRecord === undefined ? undefined : latestFile(disk, paths.endRecord, ensureHeld)
  const transcripts = openTranscripts(disk, paths)
  const blobs = openBlobs(disk, paths)
  const latest: { script: string; output: string | undefined } = { script: parts.script, output: undefined }
  const pending = new Set<Promise<unknown>>()
  let seq = journal.lastSeq
  let closing: Promise<void> | undefined

  /** Empty, and the writer failed, for what has no JSON form. */
  function encode(attempt: number, entry: JournalEntry): string {
    try {
      const line = encodeLine(entry, { seq: seq + 1, attempt, fence: lease.fence })
      seq++
      return line
    } catch (error) {
      lines.fail(writeFailed(paths.journal, error))
      return ''
    }
  }

  /** A run that can no longer be written ends, whatever it was that could not be written. */
  async function orLose<T>(path: string, work: () => Promise<T>): Promise<T> {
    const working = work()
    pending.add(working)
    try {
      return await working
    } catch (error) {
      const reason = writeFailed(path, error)
      lines.fail(reason)
      throw reason
    } finally {
      pending.delete(working)
    }
  }

  async function close(): Promise<void> {
    while (pending.size > 0) await Promise.allSettled(pending)
    await lines.close()
    await Promise.all([record.idle(), output.idle(), ended?.idle(), transcripts.close()])
    await lease.release()
  }

  return {
    fence: lease.fence,
    locations: locationsOf(paths),
    lost: lost.signal,
    append: (attempt, entry) => lines.append(encode(attempt, entry)),
    appendLater: (attempt, entry) => lines.appendLater(encode(attempt, entry)),
    writeScript(source) {
      return orLose(paths.script, async () => {
        await lease.ensureHeld()
        await makeDirectory(disk, paths.sessionDirectory, dirname(paths.script))
        await writeAtomically(disk, paths.script, source)
        latest.script = source
      })
    },
    async writeRecord(next: RunRecord) {
      const owned = next.owner ? next : { ...next, owner: recordOwner(owner) }
      if (ended && isEnded(next)) {
        const text = (): string => `${JSON.stringify(endRecord(next, latest.script, latest.output))}\n`
        await orLose(paths.endRecord ?? '', () => ended.write(text))
      }
      await orLose(paths.record, () => record.write(() => `${JSON.stringify(owned)}\n`))
    },
    writeOutput(text) {
      if (ended) latest.output = text
      return orLose(paths.output, () => output.write(() => text))
    },
    writeBlob: text =>
      orLose(paths.blobs, async () => {
        await lease.ensureHeld()
        return blobs(text)
      }),
    transcript: (id: string, meta: JsonObject): TranscriptSink => transcripts.open(id, meta),
    readTranscript: id => transcripts.read(id),
    close: () => (closing ??= close()),
  }
}
