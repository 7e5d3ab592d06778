import { Parser, type Options, type Program, type Token } from 'acorn'

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

  constructor(text: string, onToken: (token: Token) => void) {
    super({ ...OPTIONS, onToken }, text)
  }

  /** Called by the parser. */
  raiseRecoverable(offset: number, message: string): void {
    if (!RECOVERABLE.test(message)) throw Object.assign(new SyntaxError(message), { pos: offset })
    if (message.startsWith('Identifier')) this.problems.push({ offset, message })
  }
}

/** Parses a script as the body of an async function with module syntax. Never throws. */
export function parseScript(text: string): ParsedScript {
  const comments = htmlComments(text)
  const parser = new ScriptParser(text, token => comments.see(token))
  try {
    const program = parser.parse()
    return { program, problems: [...parser.problems, ...comments.problems] }
  } catch (error) {
    return { problems: [...parser.problems, asProblem(error)] }
  }
}

/**
 * `<!--` begins a comment for the script engine but not for the parser: the two would read different programs.
 * (`-->` at the start of a line does too, and never parses.)
 */
function htmlComments(text: string): { see(token: Token): void; problems: SyntaxProblem[] } {
  const problems: SyntaxProblem[] = []
  return {
    problems,
    see({ type, start }) {
      if (type.label !== '</>/<=/>=' || !text.startsWith('<!--', start)) return
      problems.push({
        offset: start,
        message: '<!-- begins a comment in scripts; write it with a blank inside',
      })
    },
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
