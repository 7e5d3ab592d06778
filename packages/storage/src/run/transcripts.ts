import { constants } from 'node:fs'
import { TRANSCRIPT_ID_PATTERN, type JsonObject } from '@tutti/protocol'
import type { TranscriptSink } from '@tutti/runtime'
import type { Disk } from '../files/file-system.ts'
import { makeDirectory } from '../files/make-directory.ts'
import { NO_FOLLOW, readText } from '../files/read-text.ts'
import { FILE_MODE, writeFully } from '../files/write-atomically.ts'
import { transcriptPaths, type RunPaths } from '../layout.ts'

// Transcripts are for people: they never hold a run up and never fail it. Nothing is synced. A transcript
// without a line makes no file, so agents that say nothing cost nothing; the meta file comes with the first
// line.

/** All transcripts of a run. */
export interface Transcripts {
  open(transcriptId: string, meta: JsonObject): TranscriptSink
  /** What was written so far; lines that cannot be read are left out. Empty for what is no transcript. */
  read(transcriptId: string): Promise<JsonObject[]>
  /** Resolves when everything is written that can be. */
  close(): Promise<void>
}

export interface TranscriptLimits {
  /** Files open at a time. */
  openFiles: number
  /** Bytes in memory at a time; lines beyond it are dropped and the gap is noted. */
  pendingBytes: number
}

/** One transcript with lines that are not written yet. */
interface Pending {
  paths: { lines: string; meta: string }
  /** Until it is written. */
  meta: string | undefined
  text: string[]
  dropped: number
  /** Waits for a worker, or has one. */
  queued: boolean
  broken: boolean
  /** Called once nothing is left to write. */
  written: (() => void)[]
}

const DEFAULT_LIMITS: TranscriptLimits = { openFiles: 8, pendingBytes: 64 * 1024 * 1024 }

const MOST_READ_BYTES = 256 * 1024 * 1024

export function openTranscripts(
  disk: Disk,
  paths: RunPaths,
  limits: TranscriptLimits = DEFAULT_LIMITS,
): Transcripts {
  const queue: { id: string; target: Pending }[] = []
  const workers = new Set<Promise<void>>()
  const unwritten = new Map<string, Pending>()
  let pendingBytes = 0
  let closed = false
  let directory: Promise<void> | undefined

  function add(id: string, target: Pending, line: JsonObject): void {
    if (closed || target.broken) return
    const text = encode(line)
    if (text === undefined || pendingBytes + text.length > limits.pendingBytes) {
      target.dropped++
      return
    }
    push(target, text)
    if (target.queued) return
    target.queued = true
    unwritten.set(id, target)
    queue.push({ id, target })
    if (workers.size < limits.openFiles) startWorker()
  }

  function push(target: Pending, text: string): void {
    const lines = target.dropped > 0 ? gap(target.dropped) + text : text
    target.dropped = 0
    target.text.push(lines)
    pendingBytes += lines.length
  }

  function startWorker(): void {
    const worker = work().finally(() => workers.delete(worker))
    workers.add(worker)
  }

  async function work(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    for (let next = queue.shift(); next; next = queue.shift()) await flush(next.id, next.target)
  }

  async function flush(id: string, target: Pending): Promise<void> {
    const text = target.text.join('')
    target.text = []
    try {
      directory ??= makeDirectory(disk, paths.sessionDirectory, paths.transcripts)
      await directory
      if (target.meta !== undefined) await appendTo(disk, target.paths.meta, target.meta)
      target.meta = undefined
      await appendTo(disk, target.paths.lines, text)
    } catch {
      target.broken = true
    } finally {
      pendingBytes -= text.length
      if (target.dropped > 0) push(target, '')
      // One worker at a time per transcript keeps its lines in order.
      target.queued = target.text.length > 0
      if (target.queued) queue.push({ id, target })
      else {
        unwritten.delete(id)
        for (const resolve of target.written.splice(0)) resolve()
      }
    }
  }

  return {
    open(transcriptId, meta) {
      const target: Pending = {
        paths: transcriptPaths(paths, transcriptId),
        meta: `${JSON.stringify(meta)}\n`,
        text: [],
        dropped: 0,
        queued: false,
        broken: false,
        written: [],
      }
      let open = true
      return {
        write: line => {
          if (open) add(transcriptId, target, line)
        },
        close: () => {
          open = false
        },
      }
    },
    async read(transcriptId) {
      if (!TRANSCRIPT_ID_PATTERN.test(transcriptId)) return []
      const target = unwritten.get(transcriptId)
      if (target) await new Promise<void>(resolve => target.written.push(resolve))
      return readLines(disk, transcriptPaths(paths, transcriptId).lines)
    },
    async close() {
      closed = true
      while (workers.size > 0) await Promise.all(workers)
    },
  }
}

function gap(dropped: number): string {
  return `${JSON.stringify({ type: 'transcript_gap', dropped })}\n`
}

function encode(line: JsonObject): string | undefined {
  try {
    return `${JSON.stringify(line)}\n`
  } catch {
    return undefined
  }
}

async function readLines(disk: Disk, path: string): Promise<JsonObject[]> {
  const text = await readText(disk.fs, path, MOST_READ_BYTES).catch(() => undefined)
  return (text ?? '').split('\n').flatMap(line => {
    try {
      const value = JSON.parse(line) as unknown
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? [value as JsonObject] : []
    } catch {
      return []
    }
  })
}

async function appendTo(disk: Disk, path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | NO_FOLLOW
  const handle = await disk.fs.open(path, flags, FILE_MODE)
  try {
    await writeFully(handle, Buffer.from(text))
  } finally {
    await handle.close()
  }
}
