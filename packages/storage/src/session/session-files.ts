import { constants, type Stats } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { systemClock, WorkflowInputError, type Clock, type Random } from '@tutti/runtime'
import { errnoOf, isMissing, symbolicLink, unreadable, writeFailed } from '../files/file-errors.ts'
import { createDisk, type Disk, type FileHandle, type FileSystem } from '../files/file-system.ts'
import { makeDirectory, makeRoot } from '../files/make-directory.ts'
import { reachedPlainly } from '../files/reached-plainly.ts'
import { NO_FOLLOW, readText } from '../files/read-text.ts'
import { FILE_MODE, writeFully } from '../files/write-atomically.ts'
import { projectDirectory, sessionLock, sessionOfTranscript, sessionTranscript } from '../layout.ts'
import { leaseSession, type SessionLease } from './session-lease.ts'

export interface SessionFilesOptions {
  cwd: string
  root: string
  random?: Random
  clock?: Clock
  fileSystem?: FileSystem
}

/** Transcripts of the sessions of the working directory's project: one file each, one line of JSON per message. */
export interface SessionFiles {
  /** Throws WorkflowInputError for an id that is no UUID. */
  path(sessionId: string): string
  exists(sessionId: string): Promise<boolean>
  /** All of them, the one last written first. */
  list(): Promise<ListedSession[]>
  /** The whole text; undefined when there is none. Throws JournalError for what is no plain file. */
  read(sessionId: string): Promise<string | undefined>
  /** The first 64 KiB of it; empty when it cannot be read. */
  beginning(sessionId: string): Promise<string>
  /** Makes the file of a new session. Throws WorkflowInputError when there is one, JournalError. */
  create(sessionId: string): Promise<SessionFile>
  /** Opens one to go on at its end, which then is the end of a line. Throws JournalError. */
  open(sessionId: string): Promise<SessionFile>
  /**
   * Keeps other processes from writing it, be it there or not. Throws LeaseError `run-is-owned` while one does,
   * JournalError when no lock can be made.
   */
  lease(sessionId: string): Promise<SessionLease>
}

export interface ListedSession {
  sessionId: string
  path: string
  /** Milliseconds since the epoch. */
  modifiedAt: number
}

/** A transcript that is being written. */
export interface SessionFile {
  /** Whole lines. Throws JournalError. */
  append(lines: string): Promise<void>
  /** What was appended outlives the machine when it resolves. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** Stands as `program` in the lines of our transcripts, beside those of other products in the same folder. */
export const TRANSCRIPT_PROGRAM: string = 'tutti'

const MAX_BYTES = 256 * 1024 * 1024
const BEGINNING_BYTES = 64 * 1024
const NEWLINE = 0x0a

export function openSessionFiles(options: SessionFilesOptions): SessionFiles {
  const disk = createDisk(options)
  const { fs } = disk
  const { clock = systemClock() } = options
  const root = resolve(options.root)
  const project = projectDirectory(root, options.cwd)
  const path = (sessionId: string): string => sessionTranscript(project, sessionId)
  const exists = async (sessionId: string): Promise<boolean> =>
    (await look(fs, path(sessionId))) !== undefined
  return {
    path,
    exists,
    async list() {
      const entries = await fs.readdir(project).catch((): string[] => [])
      const found: ListedSession[] = []
      for (const entry of entries) {
        const sessionId = sessionOfTranscript(entry)
        const stat = sessionId === undefined ? undefined : await look(fs, path(sessionId))
        if (sessionId === undefined || !stat?.isFile()) continue
        found.push({ sessionId, path: path(sessionId), modifiedAt: stat.mtimeMs })
      }
      return found.sort((a, b) => b.modifiedAt - a.modifiedAt)
    },
    async read(sessionId) {
      if (!(await exists(sessionId))) return undefined
      await refuseLinks(fs, root, path(sessionId))
      return readText(fs, path(sessionId), MAX_BYTES)
    },
    beginning: sessionId => readBeginning(fs, path(sessionId)).catch(() => ''),
    create: sessionId => createFile(disk, { root, path: path(sessionId), sessionId }),
    async open(sessionId) {
      await refuseLinks(fs, root, path(sessionId))
      return openFile(fs, path(sessionId))
    },
    lease: sessionId => leaseSession({ disk, clock, root, sessionId, path: sessionLock(path(sessionId)) }),
  }
}

/** Missing folders are told by whoever opens the file. */
async function refuseLinks(fs: FileSystem, root: string, path: string): Promise<void> {
  const there = (await look(fs, path)) !== undefined
  if (there && !(await reachedPlainly(fs, root, path))) throw symbolicLink(path)
}

async function look(fs: FileSystem, path: string): Promise<Stats | undefined> {
  try {
    return await fs.lstat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw unreadable(path, (error as Error).message, error)
  }
}

async function createFile(
  disk: Disk,
  { root, path, sessionId }: { root: string; path: string; sessionId: string },
): Promise<SessionFile> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_EXCL
  try {
    await makeRoot(disk, root)
    await makeDirectory(disk, root, dirname(path))
    return sessionFile(path, await disk.fs.open(path, flags | NO_FOLLOW, FILE_MODE))
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw taken(sessionId, path)
    throw writeFailed(path, error)
  }
}

async function openFile(fs: FileSystem, path: string): Promise<SessionFile> {
  let handle: FileHandle
  try {
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK
    handle = await fs.open(path, flags | NO_FOLLOW)
  } catch (error) {
    throw errnoOf(error) === 'ELOOP' ? symbolicLink(path) : writeFailed(path, error)
  }
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw unreadable(path, 'it is not a plain file')
    const file = sessionFile(path, handle)
    // A writer that was killed may have left part of a line: it stays, as a line that nobody can read.
    if (stat.size > 0 && !(await endsWithNewline(handle, stat.size))) await file.append('\n')
    return file
  } catch (error) {
    await handle.close()
    throw writeFailed(path, error)
  }
}

function sessionFile(path: string, handle: FileHandle): SessionFile {
  const attempt = async (action: () => Promise<void>): Promise<void> => {
    try {
      await action()
    } catch (error) {
      throw writeFailed(path, error)
    }
  }
  return {
    append: lines => attempt(() => writeFully(handle, Buffer.from(lines))),
    sync: () => attempt(() => handle.datasync()),
    close: () => attempt(() => handle.close()),
  }
}

async function endsWithNewline(handle: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1)
  await handle.read(last, 0, 1, size - 1)
  return last[0] === NEWLINE
}

async function readBeginning(fs: FileSystem, path: string): Promise<string> {
  const handle = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | NO_FOLLOW)
  try {
    const chunk = Buffer.alloc(BEGINNING_BYTES)
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, 0)
    return chunk.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

function taken(sessionId: string, path: string): WorkflowInputError {
  const hint = `Resume it (--resume ${sessionId}), or take another id.`
  return new WorkflowInputError(
    'option-invalid',
    `There is a session ${sessionId} already: ${path}. ${hint}`,
    {
      hint,
    },
  )
}
