import type { Io } from './io.ts'
import { asTyped } from './program-name.ts'
import { createColors, wantsColor, type Colors } from './render/colors.ts'
import { errorText, shownError, type ShownError } from './render/error-text.ts'
import { INTERNAL_CODE, UsageError } from './usage-error.ts'
import { EXIT } from './exit-code.ts'

/** How a command speaks: diagnostics on standard error, what was asked for on standard output. */
export interface Terminal {
  /** Of standard error. */
  colors: Colors
  /** Of standard output. */
  outColors: Colors
  /** Standard error is a terminal that can redraw lines. */
  live: boolean
  debug: boolean
  /** Errors are told as JSON. */
  json: boolean
  /** A text with the command named as it can be typed here. */
  typed(text: string): string
  error(error: unknown, extra?: Record<string, unknown>): void
}

export interface TerminalOptions {
  color?: boolean
  json?: boolean
}

export function createTerminal(io: Io, { color, json = false }: TerminalOptions): Terminal {
  const isTty = io.stderr.isTTY === true
  const colorsOf = (tty: boolean): Colors =>
    createColors(wantsColor({ env: io.env, isTty: tty, flag: color }))
  const colors = colorsOf(isTty)
  const debug = io.env['TUTTI_DEBUG'] === '1'
  return {
    colors,
    outColors: colorsOf(io.stdout.isTTY === true),
    live: isTty && io.env['TERM'] !== 'dumb',
    debug,
    json,
    typed: text => asTyped(text, io.program),
    error(error, extra = {}) {
      const given = shownError(error)
      const { message, hint } = given
      const shown = {
        ...given,
        message: asTyped(message, io.program),
        ...(hint !== undefined && { hint: asTyped(hint, io.program) }),
      }
      io.stderr.write(json ? errorLine(shown, extra, debug) : errorText(shown, colors, debug))
    },
  }
}

/** What a command that threw exits with: anything that was refused is bad input, the rest has failed. */
export function exitCodeOfError(error: unknown): number {
  if (error instanceof UsageError) return EXIT.badInput
  const { code } = error as { code?: unknown }
  const failures = new Set(['journal-write-failed', 'lease-lost', 'sandbox-crashed'])
  return isTutti(error) && typeof code === 'string' && !failures.has(code) ? EXIT.badInput : EXIT.failed
}

// The marker of the runtime's errors, so that telling them apart loads nothing.
function isTutti(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    (error as Record<symbol, unknown>)[Symbol.for('tutti.error')] === true
  )
}

function errorLine(error: ShownError, extra: Record<string, unknown>, debug: boolean): string {
  const { code = INTERNAL_CODE, message, hint, stack } = error
  const data = {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...extra,
    ...(debug && stack !== undefined && { stack }),
  }
  return `${JSON.stringify({ error: data })}\n`
}
