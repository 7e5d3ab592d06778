/**
 * A block of lines at the bottom of a terminal that is redrawn in place: one write per frame, inside a
 * synchronised update, touching only lines that changed. The cursor rests on the line below the block.
 */
import { textWidth } from './text-width.ts'

const SYNC_ON = '\u001b[?2026h'
const SYNC_OFF = '\u001b[?2026l'
const HIDE_CURSOR = '\u001b[?25l'
const SHOW_CURSOR = '\u001b[?25h'
const CLEAR_LINE_END = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

export interface LiveScreen {
  /** Makes the block show these lines. None may be wider than the terminal. */
  draw(lines: string[]): void
  /** Writes text that stays, above the block. */
  printAbove(text: string): void
  /** Removes the block and gives the terminal to somebody else until the next `draw`. */
  yield(): void
  /** Leaves the block as it is, or removes it, and gives the cursor back. Idempotent. */
  end(keep?: 'keep' | 'clear'): void
}

export interface LiveScreenOptions {
  write(text: string): void
  /** Columns of the terminal now. */
  columns(): number
}

export function createLiveScreen({ write, columns }: LiveScreenOptions): LiveScreen {
  let shown: string[] = []
  let shownColumns = columns()
  let started = false
  let ended = false

  const start = (): string => {
    if (started) return ''
    started = true
    return HIDE_CURSOR
  }

  /** To the first line of the block. After a change of width its lines may have been wrapped anew. */
  const toTop = (): string => {
    const now = columns()
    const lines =
      now >= shownColumns
        ? shown.length
        : shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(textWidth(line) / now)), 0)
    return lines === 0 ? '' : `\u001b[${lines}A\r`
  }

  const redraw = (lines: string[]): string => lines.map(line => `${line}${CLEAR_LINE_END}\n`).join('')

  const changes = (lines: string[]): string => {
    const body = lines.map((line, at) => (line === shown[at] ? '\n' : `${line}${CLEAR_LINE_END}\n`)).join('')
    return lines.length < shown.length ? body + CLEAR_BELOW : body
  }

  return {
    draw(lines) {
      if (ended) return
      const sameWidth = columns() === shownColumns
      if (
        started &&
        sameWidth &&
        lines.length === shown.length &&
        lines.every((line, at) => line === shown[at])
      )
        return
      const body = sameWidth ? changes(lines) : `${CLEAR_BELOW}${redraw(lines)}`
      write(`${SYNC_ON}${start()}${toTop()}${body}${SYNC_OFF}`)
      shown = lines
      shownColumns = columns()
    },
    printAbove(text) {
      const block = ended ? [] : shown
      const lines = text.endsWith('\n') ? text : `${text}\n`
      write(`${SYNC_ON}${ended ? '' : toTop() + CLEAR_BELOW}${lines}${redraw(block)}${SYNC_OFF}`)
      if (!ended) shownColumns = columns()
    },
    yield() {
      if (!started || ended) return
      write(`${SYNC_ON}${toTop()}${CLEAR_BELOW}${SHOW_CURSOR}${SYNC_OFF}`)
      shown = []
      started = false
    },
    end(keep = 'keep') {
      if (ended) return
      ended = true
      const body = keep === 'clear' ? `${toTop()}${CLEAR_BELOW}` : ''
      if (started) write(`${body}${SHOW_CURSOR}`)
    },
  }
}
