import type { SerializedError } from '@tutti/protocol'
import type { Colors } from './colors.ts'
import { safeBlock } from './text-width.ts'

export interface ShownError {
  code?: string
  message: string
  hint?: string
  stack?: string
}

/** Anything thrown, as what a person or program is told. The stack is only for `TUTTI_DEBUG=1`. */
export function shownError(error: unknown): ShownError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code, hint } = error as { code?: unknown; hint?: unknown }
  return {
    message: error.message,
    ...(typeof code === 'string' && { code }),
    ...(typeof hint === 'string' && { hint }),
    ...(error.stack !== undefined && { stack: error.stack }),
  }
}

/** `error` line, hint and code for a terminal. A hint that the message gives already is not repeated. */
export function errorText(error: ShownError, colors: Colors, debug: boolean): string {
  const lines = [`${colors.red(colors.bold('error'))} ${safeBlock(error.message)}`]
  if (error.hint !== undefined && !error.message.includes(error.hint)) {
    lines.push(`${colors.bold('hint')}  ${safeBlock(error.hint)}`)
  }
  if (error.code !== undefined) lines.push(colors.dim(`code  ${error.code}`))
  if (debug && error.stack !== undefined) lines.push(colors.dim(safeBlock(error.stack)))
  return `${lines.join('\n')}\n`
}

/** The error of a run with its causes, one a line, and the place in the script. */
export function runErrorText(error: SerializedError): string {
  const lines: string[] = []
  for (let at: SerializedError | undefined = error, depth = 0; at !== undefined && depth < 5; depth++) {
    const code = at.code === undefined ? '' : ` (${at.code})`
    lines.push(`${depth === 0 ? '' : 'caused by '}${at.name}: ${safeBlock(at.message)}${code}`)
    if (at.stack !== undefined && depth === 0) lines.push(...placesOf(at.stack))
    at = at.cause
  }
  return lines.join('\n')
}

function placesOf(stack: string): string[] {
  return safeBlock(stack)
    .split('\n')
    .filter(line => line.includes('workflow.js:'))
    .slice(0, 4)
    .map(line => `  ${line.trim()}`)
}
