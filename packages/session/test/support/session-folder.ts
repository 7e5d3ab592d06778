import { mkdtempSync, realpathSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSeededRandom, createVirtualClock } from '@tutti/runtime/testing'
import { openSessionFiles, type SessionFiles } from '@tutti/storage'
import { createTranscriptLog, type TranscriptLogOptions } from '../../src/transcript/write-transcript.ts'
import type { TranscriptLog } from '../../src/transcript-log.ts'

/** Transcripts of sessions in a folder of their own. */
export interface SessionFolder {
  root: string
  files: SessionFiles
  problems: string[]
  log(sessionId: string, options?: Partial<TranscriptLogOptions>): TranscriptLog
  /** Its lines as they are on disk. */
  lines(sessionId: string): Promise<Record<string, unknown>[]>
  /** Puts a text there, as another program might. */
  write(sessionId: string, text: string | Uint8Array): Promise<void>
  remove(): Promise<void>
}

export const CWD = '/some/project'

export function sessionFolder(): SessionFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'tutti-session-')))
  const files = openSessionFiles({ cwd: CWD, root })
  const problems: string[] = []
  const random = createSeededRandom(1)
  const clock = createVirtualClock()
  return {
    root,
    files,
    problems,
    log: (sessionId, options) =>
      createTranscriptLog({
        files,
        sessionId,
        cwd: CWD,
        clock,
        random,
        onProblem: text => problems.push(text),
        ...options,
      }),
    async lines(sessionId) {
      const text = await readFile(files.path(sessionId), 'utf8')
      return text
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as Record<string, unknown>)
    },
    async write(sessionId, text) {
      await mkdir(dirname(files.path(sessionId)), { recursive: true })
      await writeFile(files.path(sessionId), text)
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}
