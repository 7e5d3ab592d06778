import { SESSION_ID_PATTERN } from '@tutti/protocol'
import { WorkflowInputError, type Random } from '@tutti/runtime'
import { TRANSCRIPT_PROGRAM, type SessionFiles } from '@tutti/storage'
import { randomUuid } from '../stamp.ts'
import type { EarlierSession } from '../transcript-log.ts'
import { historyOf } from './history.ts'
import { conversationOf, readLines, type TranscriptLine } from './transcript-line.ts'

/** Which session it is to be. */
export interface SessionWish {
  /** The session to go on with; true: the latest of this project that is ours. */
  resume?: string | true
  /** Id of the session; without `resume` of a new one. */
  sessionId?: string
  /** What was said goes on in a session of its own. */
  fork?: boolean
  /** The last message to keep. */
  resumeAt?: string
}

export interface ChosenSession {
  sessionId: string
  /** Absent for a new session. */
  earlier?: EarlierSession & { conversation: TranscriptLine[]; damaged: number }
}

/** Finds the session that is meant. Throws WorkflowInputError when there is none, or the wish contradicts itself. */
export async function chooseSession(
  files: SessionFiles,
  wish: SessionWish,
  random: Random,
): Promise<ChosenSession> {
  const own = wish.sessionId === undefined ? undefined : checkedId(wish.sessionId, '--session-id')
  if (wish.resume === undefined) {
    if (wish.resumeAt !== undefined) throw refused('--resume-session-at needs --resume with a session')
    if (own !== undefined && (await files.exists(own))) throw inUse(own)
    return { sessionId: own ?? randomUuid(random) }
  }
  const before = wish.resume === true ? await latest(files) : checkedId(wish.resume, '--resume')
  const fork = wish.fork === true
  if (!fork && own !== undefined && own !== before) {
    throw refused(
      `--session-id ${own} is not the session that is resumed, ${before}`,
      'Leave --session-id out, or add --fork-session.',
    )
  }
  const sessionId = fork ? (own ?? randomUuid(random)) : before
  if (fork && (await files.exists(sessionId))) throw inUse(sessionId)
  return { sessionId, earlier: await load(files, before, wish.resumeAt) }
}

async function load(
  files: SessionFiles,
  sessionId: string,
  at: string | undefined,
): Promise<NonNullable<ChosenSession['earlier']>> {
  const text = await files.read(sessionId)
  if (text === undefined) {
    throw refused(
      `there is no session ${sessionId} in this project: ${files.path(sessionId)} does not exist`,
      'A session is resumed in the folder it was started in. Its id stands in every frame, as session_id.',
    )
  }
  const { lines, damaged } = readLines(text)
  const conversation = conversationOf(lines, at)
  if (conversation === undefined) throw refused(`session ${sessionId} has no message ${at}`)
  return { sessionId, conversation, damaged, messages: historyOf(conversation) }
}

/** Sessions of other products are only resumed by their id. */
async function latest(files: SessionFiles): Promise<string> {
  for (const { sessionId } of await files.list()) {
    if ((await files.beginning(sessionId)).includes(`"program":"${TRANSCRIPT_PROGRAM}"`)) return sessionId
  }
  throw refused('there is no session in this project to go on with', 'Start one without --continue.')
}

function checkedId(text: string, flag: string): string {
  const id = text.toLowerCase()
  if (SESSION_ID_PATTERN.test(id)) return id
  throw refused(`${flag} must be a UUID, not "${text.slice(0, 80)}"`)
}

function inUse(sessionId: string): WorkflowInputError {
  return refused(
    `there is a session ${sessionId} already`,
    `To go on with it: --resume ${sessionId}; else take another id.`,
  )
}

function refused(message: string, hint?: string): WorkflowInputError {
  return new WorkflowInputError('option-invalid', message, hint === undefined ? {} : { hint })
}
