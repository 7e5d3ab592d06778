import { WIRE_BASELINE } from '@tutti/protocol'
import type { ChatMessage } from '@tutti/agents/chat'
import type { Clock, Random } from '@tutti/runtime'
import { TRANSCRIPT_PROGRAM, type SessionFile, type SessionFiles } from '@tutti/storage'
import { randomUuid } from '../stamp.ts'
import type { TranscriptDetails, TranscriptLog } from '../transcript-log.ts'
import type { TranscriptLine } from './transcript-line.ts'

export interface TranscriptLogOptions {
  files: SessionFiles
  sessionId: string
  cwd: string
  clock: Clock
  random: Random
  /** The conversation that goes on. One of another session is copied to the beginning of this one. */
  earlier?: { sessionId: string; conversation: readonly TranscriptLine[] }
  /** Heard once, when nothing can be written any more. */
  onProblem(message: string): void
}

/** Writes a transcript as the session goes. The file is made with the first message. */
export function createTranscriptLog(options: TranscriptLogOptions): TranscriptLog {
  const { files, sessionId, cwd, clock, random, earlier } = options
  const goesOn = earlier?.sessionId === sessionId
  let parentUuid = earlier?.conversation.at(-1)?.uuid ?? null
  let opened: Promise<SessionFile> | undefined
  let work: Promise<void> = Promise.resolve()
  let broken = false
  let closed = false

  const open = async (): Promise<SessionFile> => {
    if (goesOn) return files.open(sessionId)
    const file = await files.create(sessionId)
    const copied = (earlier?.conversation ?? []).map(line => copyOf(line, sessionId))
    if (copied.length > 0) await file.append(copied.map(encode).join(''))
    return file
  }

  /** Nothing that fails here may end the session. */
  const queue = (action: () => Promise<void>): Promise<void> => {
    work = work.then(async () => {
      if (broken) return
      try {
        await action()
      } catch (error) {
        broken = true
        options.onProblem(`The transcript is not written any more: ${(error as Error).message}`)
      }
    })
    return work
  }

  return {
    append(message, details = {}) {
      if (closed) return
      const line = lineOf(message, details, { cwd, sessionId, parentUuid, now: clock.now(), random })
      parentUuid = line.uuid
      const text = encode(line)
      void queue(async () => {
        opened ??= open()
        await (await opened).append(text)
      })
    },
    written: () => work,
    flush: () => (closed ? work : queue(async () => (await opened)?.sync())),
    close() {
      if (closed) return work
      closed = true
      return queue(async () => (await opened)?.close())
    },
  }
}

interface LinePlace {
  cwd: string
  sessionId: string
  parentUuid: string | null
  now: number
  random: Random
}

function lineOf(
  { role, content }: ChatMessage,
  details: TranscriptDetails,
  { cwd, sessionId, parentUuid, now, random }: LinePlace,
): TranscriptLine {
  return {
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId,
    version: WIRE_BASELINE,
    program: TRANSCRIPT_PROGRAM,
    type: role,
    message: { ...details.message, role, content },
    ...(details.isMeta !== undefined && { isMeta: details.isMeta }),
    ...(details.toolUseResult !== undefined && { toolUseResult: details.toolUseResult }),
    uuid: details.uuid ?? randomUuid(random),
    timestamp: new Date(now).toISOString(),
  }
}

function copyOf(line: TranscriptLine, sessionId: string): TranscriptLine {
  const forkedFrom = { sessionId: line['sessionId'], messageUuid: line.uuid }
  return { ...line, sessionId, program: TRANSCRIPT_PROGRAM, forkedFrom }
}

function encode(line: TranscriptLine): string {
  return `${JSON.stringify(line)}\n`
}
