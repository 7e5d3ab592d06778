import { LeaseError, type Clock, type Random } from '@tutti/runtime'
import { chooseSession, createTranscriptLog, type SessionOptions } from '@tutti/session'
import { openSessionFiles, type SessionLease } from '@tutti/storage'
import type { Project } from '../setup/project.ts'
import type { SessionFlags } from './session-flags.ts'

export interface HistoryOptions {
  project: Project
  clock: Clock
  random: Random
  note(text: string): void
}

export interface OpenedHistory extends Pick<
  SessionOptions,
  'sessionId' | 'earlier' | 'log' | 'transcriptPath'
> {
  /**
   * Keeps other processes from writing the transcript. Undefined where none is written. Throws LeaseError while another
   * process writes it.
   */
  lease(): Promise<SessionLease | undefined>
}

/** Which session it is, what was said in it, and where it is written. Throws WorkflowInputError. */
export async function openHistory(
  flags: SessionFlags,
  { project: { cwd, root }, clock, random, note }: HistoryOptions,
): Promise<OpenedHistory> {
  const files = openSessionFiles({ cwd, root, random, clock })
  const { resume, sessionId: wanted, forkSession: fork, resumeSessionAt: resumeAt } = flags
  if (fork && resume === undefined) note('warning --fork-session does nothing without --resume or --continue')
  const { sessionId, earlier } = await chooseSession(
    files,
    { resume, sessionId: wanted, fork, resumeAt },
    random,
  )
  if (earlier !== undefined && earlier.damaged > 0) {
    note(
      `warning ${files.path(earlier.sessionId)}: ${earlier.damaged} lines cannot be read and are passed over`,
    )
  }
  if (!flags.persistence) return { sessionId, earlier, lease: async () => undefined }
  const onProblem = (text: string): void => note(`warning ${text}`)
  const log = createTranscriptLog({ files, sessionId, cwd, clock, random, earlier, onProblem })
  const lease = async (): Promise<SessionLease | undefined> => {
    try {
      return await files.lease(sessionId)
    } catch (error) {
      if (error instanceof LeaseError) throw error
      onProblem(`the session is not kept from being resumed elsewhere: ${(error as Error).message}`)
      return undefined
    }
  }
  return { sessionId, earlier, log, transcriptPath: files.path(sessionId), lease }
}
