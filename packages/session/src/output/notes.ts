import { clip, stripControl } from '@tutti/protocol'
import type { Scrubber } from './secrets.ts'

/** Lines for people, beside the protocol. */
export type Note = (text: string) => void

export interface NotesOptions {
  scrub: Scrubber
  write(line: string): void
  verbose?: boolean
}

const LONGEST = 1000
const LAST = 'tutti: further messages are left out'

/** Hosts often never read this stream, and a full pipe would stop the process: what goes out is bounded. */
const MOST_BYTES = 15 * 1024
const MOST_BYTES_VERBOSE = 48 * 1024

/** One line each, without secrets and control characters, with an end. */
export function createNotes({ scrub, write, verbose = false }: NotesOptions): Note {
  let left = verbose ? MOST_BYTES_VERBOSE : MOST_BYTES
  let full = false
  return text => {
    if (full) return
    const line = clip(stripControl(scrub.message(text)).replace(/\s+/g, ' ').trim(), LONGEST)
    left -= Buffer.byteLength(line) + 1
    full = left < 0
    write(full ? LAST : line)
  }
}
