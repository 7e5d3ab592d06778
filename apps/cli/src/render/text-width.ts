import { stripVTControlCharacters } from 'node:util'
import { eastAsianWidth } from 'get-east-asian-width'

const PLAIN = /^[\x20-\x7e]*$/
// Controls, separators that would be shown as a line break, bidirectional overrides and isolates.
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu
// Joiners, variation selectors, invisible spaces: terminals disagree about the width of what they make.
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u

let segmenter: Intl.Segmenter | undefined

/** Text from scripts and models for one line of a terminal: nothing in it can steer the terminal. */
export function safeLine(text: string): string {
  return PLAIN.test(text) ? text : text.replace(/\s+/g, ' ').replace(UNSAFE, '').replace(INVISIBLE, '')
}

/** The same for text of several lines: breaks and tabs stay. */
export function safeBlock(text: string): string {
  return PLAIN.test(text)
    ? text
    : text.replace(UNSAFE, character => (character === '\n' || character === '\t' ? character : ''))
}

/** Columns a text takes; escape sequences take none. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  let before: HangulPart | undefined
  let open: HangulPart | undefined
  for (const character of stripVTControlCharacters(text)) {
    const part = hangulPart(character.codePointAt(0) ?? 0)
    // What goes on a syllable is drawn within it; on its own it is a character.
    if (part !== undefined && open !== undefined && GOES_ON[open] === part) open = part
    else {
      width += characterWidth(character)
      // With a lead before it a syllable is joined in ways that terminals do not share.
      open = part === 'lead' || (part === 'syllable' && before !== 'lead') ? part : undefined
    }
    before = part
  }
  return width
}

/** Of a Hangul syllable; `syllable` and `closed` are whole ones, without and with a last consonant. */
type HangulPart = 'lead' | 'vowel' | 'last' | 'syllable' | 'closed'

/** Only what all terminals join: one vowel, one last consonant. */
const GOES_ON: Record<HangulPart, HangulPart | undefined> = {
  lead: 'vowel',
  vowel: 'last',
  syllable: 'last',
  last: undefined,
  closed: undefined,
}

function hangulPart(codePoint: number): HangulPart | undefined {
  if (codePoint < 0x1100 || codePoint > 0xd7fb) return undefined
  if (codePoint <= 0x11ff) return codePoint < 0x1160 ? 'lead' : codePoint < 0x11a8 ? 'vowel' : 'last'
  if (codePoint >= 0xac00 && codePoint <= 0xd7a3)
    return (codePoint - 0xac00) % 28 === 0 ? 'syllable' : 'closed'
  if (codePoint >= 0xd7b0) return codePoint < 0xd7cb ? 'vowel' : 'last'
  return undefined
}

/** What a terminal that knows no clusters shows: the parts of an emoji count on their own. */
function characterWidth(character: string): number {
  const codePoint = character.codePointAt(0) ?? 0
  if (codePoint < 0x7f) return codePoint < 0x20 ? 0 : 1
  return ZERO_WIDTH.test(character) ? 0 : eastAsianWidth(codePoint)
}

/** At most `width` columns, `…` at the end when something was cut; never half a character. */
export function fitText(text: string, width: number): string {
  if (width <= 0) return ''
  if (textWidth(text) <= width) return text
  if (PLAIN.test(text)) return `${text.slice(0, width - 1)}…`
  segmenter ??= new Intl.Segmenter()
  let kept = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    const next = textWidth(segment)
    if (used + next > width - 1) break
    kept += segment
    used += next
  }
  return `${kept}…`
}

/** Exactly `width` columns. */
export function padText(text: string, width: number): string {
  const fitted = fitText(text, width)
  return fitted + ' '.repeat(Math.max(0, width - textWidth(fitted)))
}

/** Exactly `width` columns, the text at the right. */
export function padLeft(text: string, width: number): string {
  const fitted = fitText(text, width)
  return ' '.repeat(Math.max(0, width - textWidth(fitted))) + fitted
}

/** Broken between words so that no line is wider than `width`; a single long word stays whole. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && textWidth(line) + 1 + textWidth(word) > width) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  lines.push(line)
  return lines
}

/** A path in lines of at most `width` columns, broken after slashes; a longer name stays whole. */
export function breakPath(path: string, width: number): string[] {
  if (textWidth(path) <= width) return [path]
  const lines: string[] = []
  let line = ''
  for (const part of path.match(/[^/]*\/|[^/]+/g) ?? []) {
    if (line !== '' && textWidth(line) + textWidth(part) > width) {
      lines.push(line)
      line = part
    } else {
      line += part
    }
  }
  return [...lines, line]
}
