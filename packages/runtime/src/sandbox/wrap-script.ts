/** A script as the engine gets it. */
export interface WrappedScript {
  /** Evaluates to the function that runs the script. */
  code: string
  /** The same lines as `code`, without what was put around them: what positions point into. */
  text: string
  /** Columns that line 1 of `code` has in front. */
  lineOneShift: number
}

const OPENING = 'async()=>{'

/** Makes a checked script the body of an async function without moving a line or, after line 1, a column. */
export function wrapScript(source: string): WrappedScript {
  let text = source.startsWith('\uFEFF') ? source.slice(1) : source
  if (text.startsWith('#!')) text = `//${text.slice(2)}`
  const at = exportPosition(text)
  if (at !== undefined) text = `${text.slice(0, at)}      ${text.slice(at + 'export'.length)}`
  return { code: `${OPENING}${text}\n}`, text, lineOneShift: OPENING.length }
}

/** Where `export` of the first statement stands, behind comments and directives. */
function exportPosition(text: string): number | undefined {
  const blank = /(?:\s|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y
  const directive = /'[^'\\\n\r]*'|"[^"\\\n\r]*"/y
  let at = 0
  for (;;) {
    at = matchEnd(blank, text, at) ?? at
    if (text[at] === ';') at++
    else {
      const end = matchEnd(directive, text, at)
      if (end === undefined) break
      at = end
    }
  }
  return /^export\b/.test(text.slice(at, at + 7)) ? at : undefined
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
