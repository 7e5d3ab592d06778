// Text of users and models, made fit for frames: bounded, and free of what could steer a terminal.

/** UTF-16 code units. */
export const LABEL_LIMIT = 120
export const ERROR_LIMIT = 1000
export const PREVIEW_LIMIT = 400
export const LOG_LIMIT = 1000

/** One line, at most 120 characters. */
export function boundLabel(text: string): string {
  return clip(oneLine(stripControl(shorten(text, LABEL_LIMIT))), LABEL_LIMIT)
}

/** At most 1,000 characters; line breaks stay. */
export function boundError(text: string): string {
  return bound(text, ERROR_LIMIT)
}

/** At most 400 characters; line breaks stay. */
export function boundPreview(text: string): string {
  return bound(text, PREVIEW_LIMIT)
}

/** At most 1,000 characters; line breaks stay. */
export function boundLog(text: string): string {
  return bound(text, LOG_LIMIT)
}

function bound(text: string, limit: number): string {
  return clip(stripControl(shorten(text, limit)), limit)
}

/** Cuts to `limit` code units, the last of them an ellipsis; never inside a surrogate pair. */
export function clip(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = limit - 1
  return `${text.slice(0, isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end)}…`
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

const ESCAPE = String.fromCharCode(0x1b)
const BELL = String.fromCharCode(0x07)

/** Terminal sequences: CSI, OSC up to its end, and short ones. */
const SEQUENCES: RegExp = new RegExp(
  [
    `(?:${ESCAPE}\\[|\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESCAPE}\\][^${BELL}${ESCAPE}]*(?:${BELL}|${ESCAPE}\\\\)`,
    `${ESCAPE}[ -/]*[0-~]`,
  ].join('|'),
  'g',
)

/** Control characters but line feed and tab, and characters that change the direction of text. */
const CONTROLS: RegExp = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** Removes control characters and escape sequences; line feeds and tabs stay, CRLF becomes a line feed. */
export function stripControl(text: string): string {
  return text.replace(SEQUENCES, '').replace(CONTROLS, '')
}

function oneLine(text: string): string {
  return text.replace(/[\s\u2028\u2029]+/g, ' ').trim()
}

/** Spares the patterns a text of megabytes, and leaves enough for what they take away. */
function shorten(text: string, limit: number): string {
  return clip(text, limit * 8)
}
