import { Parser, type Options, type Program } from 'acorn'

/** A syntax error: where, and what the parser says about it. */
export interface SyntaxProblem {
  offset: number
  message: string
}

export interface ParsedScript {
  /** Absent when the script does not parse to its end. */
  program?: Program
  problems: SyntaxProblem[]
}

const OPTIONS: Options = {
  ecmaVersion: 2025,
  sourceType: 'module',
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  // Misplaced ones are reported with all the others.
  allowImportExportEverywhere: true,
}

/** Errors after which the parser can safely go on. */
const RECOVERABLE = /^Identifier '.*' has already been declared|^Duplicate export|^Export '.*' is not defined/

class ScriptParser extends Parser {
  readonly problems: SyntaxProblem[] = []

  constructor(text: string) {
    super(OPTIONS, text)
  }

  /** Called by the parser. */
  raiseRecoverable(offset: number, message: string): void {
    if (!RECOVERABLE.test(message)) throw Object.assign(new SyntaxError(message), { pos: offset })
    if (message.startsWith('Identifier')) this.problems.push({ offset, message })
  }
}

/** Parses a script as the body of an async function with module syntax. Never throws. */
export function parseScript(text: string): ParsedScript {
  const parser = new ScriptParser(text)
  try {
    const program = parser.parse()
    return { program, problems: parser.problems }
  } catch (error) {
    return { problems: [...parser.problems, asProblem(error)] }
  }
}

function asProblem(error: unknown): SyntaxProblem {
  if (error instanceof RangeError) return { offset: 0, message: TOO_DEEP }
  const { pos, message } = error as { pos?: unknown; message: string }
  if (typeof pos !== 'number') throw error
  if (message.startsWith(STACK)) return { offset: pos, message: TOO_DEEP }
  return { offset: pos, message: message.replace(/ \(\d+:\d+\)$/, '') }
}

/** The parser's own words for the same. */
const STACK = 'Not enough stack space'

export const TOO_DEEP = 'the script is nested too deeply to be read'
