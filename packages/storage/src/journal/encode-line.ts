import type { JournalEntry, JournalStamp } from '@tutti/protocol'

/** One line of the journal, with its newline: the type first, then the stamp, then the rest. */
export function encodeLine(entry: JournalEntry, stamp: JournalStamp): string {
  const { type, ...rest } = entry
  const { seq, attempt, fence } = stamp
  return `${JSON.stringify({ type, seq, attempt, fence, ...rest })}\n`
}
