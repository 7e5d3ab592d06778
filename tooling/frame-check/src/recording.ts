import type { OutFrame } from '@tutti/protocol'

/** A line and who wrote it. */
export interface RecordedLine {
  from: 'host' | 'session'
  line: string
}

/** Lines in the order in which they were seen; plain text is a line of the session. */
export type Recording = readonly (string | RecordedLine)[]

/** A frame as the rules read it: nothing about its fields is known yet. */
export type Frame = { readonly [field: string]: unknown }

/** What a rule is shown. */
export interface Entry {
  from: RecordedLine['from']
  frame: Frame
}

/** One rule, or several about one subject, over a whole recording. */
export interface Rule {
  see(entry: Entry): void
  /** After the last line; not called for a recording that was cut off. */
  end?(): void
}

export function linesOf(recording: Recording): RecordedLine[] {
  return recording.map(line => (typeof line === 'string' ? { from: 'session', line } : line))
}

/** The lines of a text that has one frame a line. */
export function splitLines(text: string): string[] {
  return text.split('\n').filter((line, at, all) => line !== '' || at < all.length - 1)
}

/** The session's frames of a recording that has passed the check. */
export function framesOf(recording: Recording): OutFrame[] {
  return linesOf(recording)
    .filter(({ from }) => from === 'session')
    .map(({ line }) => JSON.parse(line) as OutFrame)
}
