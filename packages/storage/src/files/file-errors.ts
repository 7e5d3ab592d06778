import { isTuttiError, JournalError, type TuttiError } from '@tutti/runtime'

/** Code of a failed system call, such as `ENOSPC`. */
export function errnoOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

export function isMissing(error: unknown): boolean {
  const code = errnoOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** A failed write as JournalError with path and advice; errors that users can read already pass unchanged. */
export function writeFailed(path: string, error: unknown): TuttiError {
  if (isTuttiError(error)) return error
  const [what, advice] = explain(errnoOf(error))
  const reason = error instanceof Error ? error.message : String(error)
  return new JournalError(
    'journal-write-failed',
    `Cannot write ${path}: ${what} (${reason}). What was written before is kept. ${advice}`,
    { hint: advice, cause: error },
  )
}

/** A file that is there but cannot be used. */
export function unreadable(path: string, reason: string, cause?: unknown): JournalError {
  return new JournalError('journal-unreadable', `Cannot read ${path}: ${reason}.`, {
    hint: 'Restore the file from a backup, or start the workflow as a new run.',
    cause,
  })
}

/** Refusal to follow a symbolic link. */
export function symbolicLink(path: string): JournalError {
  const hint = 'Replace the link by a real file or folder, or point CLAUDE_CONFIG_DIR to another place.'
  return new JournalError(
    'journal-write-failed',
    `Refused to use ${path}: it is a symbolic link or not a plain file or folder. ${hint}`,
    { hint },
  )
}

function explain(code: string | undefined): [what: string, advice: string] {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return ['the disk is full', 'Free some space, then resume the run.']
    case 'EROFS':
      return ['the file system is read-only', 'Make it writable, then resume the run.']
    case 'EACCES':
    case 'EPERM':
      return ['permission denied', 'Check who owns the folder, then resume the run.']
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ESTALE':
      return ['its folder is gone', 'Do not remove the files of a run that is going on.']
    case 'EMFILE':
    case 'ENFILE':
      return ['too many open files', 'Raise the limit of open files (ulimit -n), then resume the run.']
    case 'ELOOP':
      return ['it is a symbolic link', 'Replace the link by a real file, then resume the run.']
    default:
      return ['the write failed', 'Check the disk, then resume the run.']
  }
}
