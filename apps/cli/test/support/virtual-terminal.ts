import stringWidth from 'string-width'

const ESCAPE = '\u001b'
/** One sequence, or one character. */
const PART = new RegExp(`${ESCAPE}\\[([?\\d;]*)([A-Za-z])|[\\s\\S]`, 'gu')

/** As much of a terminal as the progress view uses. Any sequence it does not know throws. */
export interface VirtualTerminal {
  write(text: string): void
  /** What is visible, without spaces at the ends of lines and without empty lines at the end. */
  screen(): string[]
  /** Lines that left the top of the screen. */
  scrolledOff(): string[]
  readonly cursorHidden: boolean
  /** Writes so far. */
  readonly writes: number
}

export function createVirtualTerminal(columns: number, rows: number): VirtualTerminal {
  const lines: string[] = Array.from({ length: rows }, () => '')
  const gone: string[] = []
  let row = 0
  let column = 0
  let hidden = false
  let writes = 0

  const lineFeed = (): void => {
    column = 0
    if (row < rows - 1) {
      row++
      return
    }
    gone.push(lines.shift() ?? '')
    lines.push('')
  }

  const put = (character: string): void => {
    const width = stringWidth(character)
    if (column + width > columns) lineFeed()
    const line = (lines[row] ?? '').padEnd(column)
    lines[row] = line.slice(0, column) + character + line.slice(column + character.length)
    column += character.length
  }

  const control = (parameters: string, final: string): void => {
    if (final === 'm') return
    if (final === 'A') row = Math.max(0, row - Number(parameters || 1))
    else if (final === 'K') lines[row] = (lines[row] ?? '').slice(0, column)
    else if (final === 'J') {
      lines[row] = (lines[row] ?? '').slice(0, column)
      lines.fill('', row + 1)
    } else if (parameters === '?25' && (final === 'l' || final === 'h')) hidden = final === 'l'
    else if (parameters !== '?2026') throw new Error(`unknown sequence ESC[${parameters}${final}`)
  }

  return {
    write(text) {
      writes++
      for (const [part, parameters, final] of text.matchAll(PART)) {
        if (final !== undefined) control(parameters ?? '', final)
        else if (part === '\n') lineFeed()
        else if (part === '\r') column = 0
        else put(part)
      }
    },
    screen() {
      const shown = lines.map(line => line.trimEnd())
      while (shown.at(-1) === '') shown.pop()
      return shown
    },
    scrolledOff: () => gone.map(line => line.trimEnd()),
    get cursorHidden() {
      return hidden
    },
    get writes() {
      return writes
    },
  }
}
