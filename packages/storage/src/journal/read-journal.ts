import { SCHEMA_VERSION } from '@tutti/protocol'
import type { JournalLine, JournalStamp } from '@tutti/protocol'
import { JournalError } from '@tutti/runtime'
import type { DamagedLine } from '@tutti/runtime'
import type { FileHandle } from '../files/file-system.ts'
import { decodeLine } from './decode-line.ts'
import { splitLines } from './split-lines.ts'

/** A journal as read. */
export interface JournalContent {
  lines: JournalLine[]
  damaged: DamagedLine[]
  /** Bytes of whole lines. */
  wholeBytes: number
  /** Bytes of a torn last line; 0 if there is none. */
  tornBytes: number
  lastSeq: number
  highestFence: number
}

const CHUNK_BYTES = 1024 * 1024

/** Reads all of an open journal. `path` is for messages. Throws JournalError `journal-newer`. */
export async function readJournal(handle: FileHandle, path: string): Promise<JournalContent> {
  const reader = journalReader(path)
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, (await handle.stat()).size + 1))
  let offset = 0
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, offset)
    if (bytesRead === 0) return reader.end()
    offset += bytesRead
    reader.push(chunk.subarray(0, bytesRead))
  }
}

/** Takes a journal in chunks of any size. `push` throws JournalError `journal-newer`. */
export function journalReader(path: string): { push(chunk: Uint8Array): void; end(): JournalContent } {
  const fold = foldLines(path)
  const splitter = splitLines(fold.line)
  let size = 0
  return {
    push(chunk) {
      size += chunk.length
      splitter.push(chunk)
    },
    end() {
      const { tornBytes } = splitter
      return { ...fold.content(), wholeBytes: size - tornBytes, tornBytes }
    },
  }
}

type Folded = Omit<JournalContent, 'wholeBytes' | 'tornBytes'>

/** Keeps what counts: unknown types and lines of a fence lower than one seen before are left out. */
function foldLines(path: string): { line(bytes: Uint8Array | undefined): void; content(): Folded } {
  const lines: JournalLine[] = []
  const damaged: DamagedLine[] = []
  let lastSeq = 0
  let highestFence = 0
  let number = 0

  function count(stamp: JournalStamp): boolean {
    if (stamp.fence < highestFence) return false
    highestFence = stamp.fence
    lastSeq = Math.max(lastSeq, stamp.seq)
    return true
  }

  return {
    line(bytes) {
      number++
      const decoded = bytes ? decodeLine(bytes) : { kind: 'damaged' as const, reason: 'it is too long' }
      if (decoded.kind === 'damaged') damaged.push({ line: number, reason: decoded.reason })
      else if (decoded.kind === 'unknown') count(decoded.stamp)
      else if (count(decoded.line)) {
        refuseNewer(decoded.line, path)
        lines.push(decoded.line)
      }
    },
    content: () => ({ lines, damaged, lastSeq, highestFence }),
  }
}

function refuseNewer(line: JournalLine, path: string): void {
  if (line.type === 'launched' && line.schemaVersion > SCHEMA_VERSION) throw newer(path, line.schemaVersion)
}

/** A file that a newer version of this program wrote. */
export function newer(path: string, version: number): JournalError {
  return new JournalError(
    'journal-newer',
    `${path} was written by a newer version (schema ${version}; this one knows up to ${SCHEMA_VERSION}). Update ` +
      'tutti to read or resume this run.',
    { hint: 'npm install -g tutti@latest' },
  )
}
